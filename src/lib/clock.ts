/**
 * How far the clocks of two machines may be apart. What lies further in the future was made while a
 * clock was ahead.
 */
export const clockToleranceMs = 60_000;
