export const person = {
  email: 'canary.ada@example.com',
  firstName: 'CanaryAda',
  lastName: 'CanaryLovelace',
  courseName: 'CanaryCourse',
};
