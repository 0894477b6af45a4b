/* ---------------------------------------------------------------- a simulation

   Dormand and Prince's formula of order 5 with an error estimate of order 4. Where a relation leaves its
   status, the step is repeated with ever better lengths until the crossing lies in the last 1e-12 of it. */

static const double C[7] = {0.0, 0.2, 0.3, 0.8, 8.0/9.0, 1.0, 1.0};
static const double A[7][6] = {
    {0.0},
    {0.2},
    {3.0/40.0, 9.0/40.0},
    {44.0/45.0, -56.0/15.0, 32.0/9.0},
    {19372.0/6561.0, -25360.0/2187.0, 64448.0/6561.0, -212.0/729.0},
    {9017.0/3168.0, -355.0/33.0, 46732.0/5247.0, 49.0/176.0, -5103.0/18656.0},
    {35.0/384.0, 0.0, 500.0/1113.0, 125.0/192.0, -2187.0/6784.0, 11.0/84.0}};
static const double E[7] = {
    71.0/57600.0, 0.0, -71.0/16695.0, 71.0/1920.0, -17253.0/339200.0, 22.0/525.0, -1.0/40.0};

static int rates(double *m, double t, const double *y, double *slope)
{
    m[TIME] = t;
    memcpy(m + FIRST_STATE, y, STATES*sizeof(double));
    inputs(t, m);
    if (derivatives(m))
        return 1;
    memcpy(slope, m + FIRST_RATE, STATES*sizeof(double));
    return 0;
}

/* One step of length h; the scaled error, or -1 where the model cannot be evaluated. */
static double step(double *m, double t, double h, const double *y, double *y_new, double tolerance)
{
    static double k[7][STATES + 1];
    double worst = 0.0, sum, error, size;
    int stage, i, j;
    for (stage = 0; stage < 7; stage++) {
        for (i = 0; i < STATES; i++) {
            sum = 0.0;
            for (j = 0; j < stage; j++)
                sum += A[stage][j]*k[j][i];
            y_new[i] = y[i] + h*sum;
        }
        if (rates(m, t + C[stage]*h, y_new, k[stage]))
            return -1.0;
    }
    for (i = 0; i < STATES; i++) {
        error = 0.0;
        for (j = 0; j < 7; j++)
            error += E[j]*k[j][i];
        size = tolerance*(1e-2*nominal[i] + fmax(fabs(y[i]), fabs(y_new[i])));
        worst = fmax(worst, fabs(h*error)/size);
        if (!(fabs(y_new[i]) < 1e300))
            return -1.0;
    }
    return worst;
}

/* Whether a relation no longer agrees with its status, at the point in memory. */
static int has_crossed(double *m)
{
    int i;
    double z;
    if (RELATIONS == 0 || relations(m))
        return 0;
    for (i = 0; i < RELATIONS; i++) {
        z = m[residual_slots[i]];
        if ((z > 0.0) - (z < 0.0) != m[status_slots[i]] && fabs(z) >= m[FIRST_BAND + i])
            return 1;
    }
    return 0;
}

static int fail(const char *why, double t)
{
    fprintf(stderr, "at time %.9g: %s\n", t, why);
    return 3;
}

/* At the start; names the first one. */
static int is_without_value(double *m)
{
    int i;
    for (i = 0; i < VARIABLES; i++)
        if (variables[i].slot >= 0 && !(fabs(m[variables[i].slot]) < HUGE_VAL)) {
            fprintf(stderr, "`%s` has no value\n", variables[i].name);
            return 1;
        }
    return 0;
}

static void write_row(double *m)
{
    int i;
    inputs(m[TIME], m);
    derivatives(m);
    outputs(m);
    printf("%.17g", m[TIME]);
    for (i = 0; i < VARIABLES; i++) {
        double value = variables[i].slot < 0 ? 0.0 : variables[i].sign*m[variables[i].slot];
        printf(",%.17g", value + variables[i].offset);
    }
    printf("\n");
}

/* Whether `terminate` was said. */
static int has_ended(const double *m)
{
    return ENDED >= 0 && m[ENDED < 0 ? 0 : ENDED] > 0.5;
}

#if DELAYS > 0
/* The step of length h from y is done: what delayed signals were on the way. */
static void remember(double *m, double t, double h, const double *y, double tolerance)
{
    static double between[STATES + 1];
    double *record = next_record(t, h);
    int i, k;
    for (k = 0; k < POINTS; k++) {
        memcpy(between, y, STATES*sizeof(double));
        if (k > 0 && h > 0.0)
            step(m, t, h*k/(POINTS - 1), y, between, tolerance);
        rates(m, t + h*k/(POINTS - 1), between, m + FIRST_RATE);
        outputs(m);
        for (i = 0; i < DELAYS; i++)
            record[i*POINTS + k] = m[delay_signals[i]];
    }
    past_steps++;
}

/* No step is longer than a delay, so that it looks at nothing that is not there yet. */
static double longest_step(const double *m, double h)
{
    int i;
    for (i = 0; i < DELAYS; i++)
        if (m[delay_lags[i]] > 0.0)
            h = fmin(h, m[delay_lags[i]]);
    return h;
}
#else
#define remember(m, t, h, y, tolerance) (void)0
#define longest_step(m, h) (h)
#endif

static int simulate(double *m, double stop, double interval, double tolerance)
{
    double y[STATES + 1], y_new[STATES + 1], t = m[TIME], h = interval, begin = t;
    double low, high, target, error;
    long point = 1;
#if DELAYS > 0
    present = m;
#endif
    inputs(t, m);
    if (start(m))
        return fail("the initial equations have no solution", t);
    due(m);
    if (event(m))
        return fail("the discrete equations do not settle", t);
    if (is_without_value(m))
        return fail("a value is not finite: this program may divide by a parameter that is zero", t);
    write_row(m);
    memcpy(y, m + FIRST_STATE, STATES*sizeof(double));
    remember(m, t, 0.0, y, tolerance);
    while (t < stop && !has_ended(m)) {
        while (begin + point*interval <= t + 1e-9*interval)
            point++;
        target = fmin(begin + point*interval, stop);
        if (stop - target < 1e-9*interval)
            target = stop;
        if (SAMPLES > 0 && m[NEXT_TIME] < target)
            target = m[NEXT_TIME];
        h = longest_step(m, fmin(h, target - t));
        error = step(m, t, h, y, y_new, tolerance);
        if (error < 0.0 || error > 1.0) {
            h *= error < 0.0 ? 0.25 : fmax(0.2, 0.9*pow(error, -0.2));
            if (h < 1e-14*(fabs(t) + interval))
                return fail("no step is short enough", t);
            continue;
        }
        rates(m, t + h, y_new, m + FIRST_RATE);
        if (has_crossed(m)) {
            low = 0.0;
            high = h;
            while (high - low > 1e-12*h + 4e-16*fabs(t)) {
                double middle = 0.5*(low + high);
                step(m, t, middle, y, y_new, tolerance);
                rates(m, t + middle, y_new, m + FIRST_RATE);
                if (has_crossed(m))
                    high = middle;
                else
                    low = middle;
            }
            high = fmax(high, 1e-15*(fabs(t) + interval)); /* time must move */
            remember(m, t, high, y, tolerance);
            step(m, t, high, y, y_new, tolerance);
            t += high;
            rates(m, t, y_new, m + FIRST_RATE);
        } else if (h < target - t) {
            remember(m, t, h, y, tolerance);
            t += h;
            memcpy(y, y_new, STATES*sizeof(double));
            h *= fmin(5.0, 0.9*pow(error + 1e-10, -0.2));
            continue;
        } else {
            remember(m, t, h, y, tolerance);
            t = target;
            h *= fmin(5.0, 0.9*pow(error + 1e-10, -0.2));
            rates(m, t, y_new, m + FIRST_RATE);
            if (t >= begin + point*interval - 1e-9*interval || t == stop)
                write_row(m);
            if (SAMPLES == 0 || m[NEXT_TIME] > t + 1e-12*(1.0 + fabs(t))) {
                memcpy(y, y_new, STATES*sizeof(double));
                continue;
            }
        }
        write_row(m);
        due(m);
        if (event(m))
            return fail("the discrete equations do not settle", t);
        memcpy(y, m + FIRST_STATE, STATES*sizeof(double));
        write_row(m);
        h = fmax(h, 1e-3*interval);
    }
    if (TERMINAL >= 0) {
        m[TERMINAL < 0 ? 0 : TERMINAL] = 1.0;
        if (event(m))
            return fail("the discrete equations do not settle", t);
        write_row(m);
    }
    return 0;
}

/* Arguments: `stop=2 interval=0.01 tolerance=1e-8`, and parameters and inputs by name: `R1.R=50`. */
int main(int count, char **words)
{
    static double m[SLOTS];
    double stop = STOP, interval = INTERVAL, tolerance = TOLERANCE;
    int i, k, is_known;
    memcpy(m, start_values, sizeof m);
    for (i = 1; i < count; i++) {
        char *equals = strchr(words[i], '=');
        size_t length = equals ? (size_t)(equals - words[i]) : 0;
        is_known = 0;
        for (k = 0; equals && k < SETTABLE; k++)
            if (strlen(settable[k].name) == length && !strncmp(settable[k].name, words[i], length)) {
                m[settable[k].slot] = atof(equals + 1);
                is_known = 1;
            }
        if (equals && !is_known) {
            double *known = !strncmp(words[i], "stop=", 5) ? &stop
                : !strncmp(words[i], "interval=", 9) ? &interval
                : !strncmp(words[i], "tolerance=", 10) ? &tolerance : 0;
            if (known) {
                *known = atof(equals + 1);
                is_known = 1;
            }
        }
        if (!is_known) {
            fprintf(stderr, "`%s` is not known\n", words[i]);
            return 2;
        }
    }
    printf("time");
    for (i = 0; i < VARIABLES; i++)
        printf(",\"%s\"", variables[i].name);
    printf("\n");
    return simulate(m, stop, interval, 0.1*tolerance);
}
