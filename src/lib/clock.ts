/** How far two machines' clocks may differ. Later times were recorded by a clock that was ahead. */
export const clockToleranceMs = 60_000;
