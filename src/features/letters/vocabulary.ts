import { ownRows } from '#db/personal-data.ts';
import { newsDue } from '#db/schema/news.ts';

export const events = {
  news_made: true,
  reminders_made: true,
  releases_made: true,
  nudges_made: true,
};

export const exported = {
  /** Since when the account has news of its cohorts, and when it is due. */
  news_due: ownRows(newsDue),
};
