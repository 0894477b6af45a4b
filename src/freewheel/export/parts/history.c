/* What delays look back at. Of each step: its begin and length, then for each line the values of the signal
   at the ends of the step and at three points between. Before the run a signal had its first value. */
#define POINTS 5

static const double *present = 0; /* the memory, before anything is remembered */
static double *past = 0;
static long past_steps = 0, past_room = 0;

static double history(double unused, double line, double t)
{
    long low = 0, high = past_steps - 1, middle;
    const double *begin, *value;
    double s, sum = 0.0, factor;
    int i, j, number = (int)line - 1;
    (void)unused;
    if (past_steps == 0)
        return present[delay_signals[number]];
    while (low < high) { /* the last step that has begun */
        middle = (low + high + 1)/2;
        if (past[middle*(2 + POINTS*DELAYS)] <= t)
            low = middle;
        else
            high = middle - 1;
    }
    begin = past + low*(2 + POINTS*DELAYS);
    value = begin + 2 + POINTS*number;
    if (begin[1] == 0.0 || t < begin[0])
        return value[0];
    s = (POINTS - 1)*(t - begin[0])/begin[1];
    for (i = 0; i < POINTS; i++) {
        factor = value[i];
        for (j = 0; j < POINTS; j++)
            if (j != i)
                factor *= (s - j)/(i - j);
        sum += factor;
    }
    return sum;
}

/* Room for one more step. */
static double *next_record(double t, double length)
{
    size_t size = 2 + POINTS*DELAYS;
    if (past_steps == past_room) {
        past_room = past_room ? 2*past_room : 256;
        past = realloc(past, (size_t)past_room*size*sizeof(double));
        if (past == 0) {
            fprintf(stderr, "at time %.9g: no memory for delayed signals\n", t);
            exit(3);
        }
    }
    past[(size_t)past_steps*size] = t;
    past[(size_t)past_steps*size + 1] = length;
    return past + (size_t)past_steps*size + 2;
}

