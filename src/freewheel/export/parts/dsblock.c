/* ---------------------------------------------------------------- DSblock

   One routine for all demands, callable from C and Fortran:

     demand 0   w is filled with start values and parameters; change parameters in w after this
            1   the initial system at *time is solved: x, xd, *next
            2   F: xd (form ODE), or the residuals f (form DAE), from *time, x, xd and u
            3   outputs y; all variables of the model are in w then
            4   crossing functions qzp and qzn of each relation
            5   an event at *time: discrete equations until they settle; x, xd, *next

   An event is due at *next, and where a crossing function changes its sign. Both are the residual of
   the relation, except where that was exactly zero at the restart: then they stand a smallest number to
   either side (or what rounding may amount to, where two branches met). *error is 0, or 1 where the model has no solution. */

#define SMALLEST 1e-38

static void read_point(double *w, const double *time, const double *x, const double *u)
{
    int i;
    w[TIME] = *time;
    memcpy(w + FIRST_STATE, x, STATES*sizeof(double));
    for (i = 0; i < INPUTS; i++)
        w[input_slots[i]] = u[i];
}

static void write_point(double *w, double *x, double *xd, double *next)
{
    int i;
    derivatives(w);
    memcpy(x, w + FIRST_STATE, STATES*sizeof(double));
    memcpy(xd, w + FIRST_RATE, STATES*sizeof(double));
    for (i = 0; i < ALGEBRAIC; i++)
        x[STATES + i] = w[algebraic_slots[i]];
    *next = w[NEXT_TIME];
    relations(w);
    for (i = 0; i < RELATIONS; i++) {
        double small = w[residual_slots[i]] == 0.0 ? SMALLEST : w[FIRST_BAND + i];
        w[SLOTS + i] = -small;
        w[SLOTS + RELATIONS + i] = small;
    }
}

int DSBLOCK(const int *demand, const double *time, double *x, double *xd, const double *u, double *f,
            double *y, double *qzp, double *qzn, double *next, double *w, int *error)
{
    int i;
    *error = 0;
    if (*demand == 0) {
        memset(w, 0, WORK*sizeof(double));
        memcpy(w, start_values, SLOTS*sizeof(double));
        return 0;
    }
    if (*demand == 1) {
        w[TIME] = *time;
        for (i = 0; i < INPUTS; i++)
            w[input_slots[i]] = u[i];
        *error = start(w) || due(w) || event(w);
        write_point(w, x, xd, next);
        return *error;
    }
    read_point(w, time, x, u);
#if IS_IMPLICIT
    if (*demand < 5) {
        /* What the solver has found: nothing is iterated on here. */
        for (i = 0; i < ALGEBRAIC; i++)
            w[algebraic_slots[i]] = x[STATES + i];
        memcpy(w + FIRST_RATE, xd, STATES*sizeof(double));
        *error = residuals(w, f);
    } else
#endif
        *error = derivatives(w);
    (void)f;
    if (*demand == 2) {
        memcpy(xd, w + FIRST_RATE, STATES*sizeof(double));
        return *error;
    }
    if (*demand == 3) {
        *error = *error || relations(w) || outputs(w);
        for (i = 0; i < OUTPUTS; i++)
            y[i] = (output_infos[i].slot < 0 ? 0.0 : output_infos[i].sign*w[output_infos[i].slot])
                 + output_infos[i].offset;
    } else if (*demand == 4) {
        *error = *error || relations(w);
        for (i = 0; i < RELATIONS; i++) {
            qzp[i] = w[residual_slots[i]] - w[SLOTS + i];
            qzn[i] = w[residual_slots[i]] - w[SLOTS + RELATIONS + i];
        }
    } else if (*demand == 5) {
        *error = *error || due(w) || event(w);
        write_point(w, x, xd, next);
    }
    return *error;
}

/* states, algebraic unknowns, inputs, outputs, relations, length of w */
void DSBLOCK_SIZES(int *sizes)
{
    sizes[0] = STATES;
    sizes[1] = ALGEBRAIC;
    sizes[2] = INPUTS;
    sizes[3] = OUTPUTS;
    sizes[4] = RELATIONS;
    sizes[5] = WORK;
}
