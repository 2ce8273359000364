/**
 * How far the clocks of two machines may differ. Later times were recorded while a clock was ahead.
 */
export const clockToleranceMs = 60_000;
