"""Messages of the instance room by subject: code, text, cure and rule of each in one function."""
