import 'server-only';
import { sql } from 'drizzle-orm';

/**
 * Whether person `p` takes part by their own will, with the address that they have now. Until then
 * the instructor may have written to a stranger.
 */
export const hasAgreed = sql<0 | 1>`coalesce(p.agreed_at >= coalesce(p.corrected_at, 0), 0)`;

/** Whether enrollment `e` is that of someone who takes part, waits or is invited. */
export const isLive = sql`e.status IN ('invited', 'applied', 'waitlisted', 'offered', 'enrolled')`;
