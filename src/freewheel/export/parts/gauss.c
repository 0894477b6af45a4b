/* a*x = b by elimination with partial pivoting; x comes in b. Row i of a begins at a[i*n]. */
static int solve_linear(int n, double *a, double *b)
{
    int i, j, k, best;
    double factor, swap;
    for (k = 0; k < n; k++) {
        best = k;
        for (i = k + 1; i < n; i++)
            if (fabs(a[i*n + k]) > fabs(a[best*n + k]))
                best = i;
        if (a[best*n + k] == 0.0)
            return 1;
        if (best != k) {
            for (j = k; j < n; j++) {
                swap = a[k*n + j]; a[k*n + j] = a[best*n + j]; a[best*n + j] = swap;
            }
            swap = b[k]; b[k] = b[best]; b[best] = swap;
        }
        for (i = k + 1; i < n; i++) {
            factor = a[i*n + k]/a[k*n + k];
            for (j = k + 1; j < n; j++)
                a[i*n + j] -= factor*a[k*n + j];
            b[i] -= factor*b[k];
        }
    }
    for (k = n - 1; k >= 0; k--) {
        for (j = k + 1; j < n; j++)
            b[k] -= a[k*n + j]*b[j];
        b[k] /= a[k*n + k];
    }
    return 0;
}
