/** The ids of the parts of a cohort's settings, which links lead to. */
export const settingsIds = {
  cohort: 'cohort-part',
  where: 'cohort-where',
  money: 'cohort-money',
  price: 'cohort-price',
  joining: 'cohort-joining',
  access: 'cohort-access',
  question: 'cohort-question',
  page: 'cohort-page-part',
  description: 'cohort-description',
  teachers: 'cohort-teachers',
  certificate: 'cohort-certificate',
  remove: 'cohort-remove',
} as const;
