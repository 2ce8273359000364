/**
 * A person with an account at the stand-in for Google; `hd` is the company whose mailboxes Google
 * runs.
 */
type GooglePerson = {
  email: string;
  name: string;
  hd: string | null;
  email_verified: boolean;
  picture?: string;
};

/** Invented people to sign in as. Each is used for one thing in the browser tests. */
export const googlePeople = {
  newcomer: person('nina.newcomer@gmail.com', 'Nina Newcomer'),
  member: person('marco.member@gmail.com', 'Marco Member'),
  hesitant: person('hana.hesitant@gmail.com', 'Hana Hesitant'),
  replayed: person('remi.replayed@gmail.com', 'Rémi Replayed'),
  wanderer: person('wanda.wanderer@gmail.com', 'Wanda Wanderer'),
  twoTabs: person('tara.tabs@gmail.com', 'Tara Tabs'),
  returner: person('rita.returner@gmail.com', 'Rita Returner'),
  company: { ...person('carla@orchard.example', 'Carla Company'), hd: 'orchard.example' },
  /** Google does not run this mailbox, so it cannot open an existing account with the address. */
  outsider: person('olaf@elsewhere.example', 'Olaf Outsider'),
  /** Nothing is there: the browser test brings the picture. */
  pictured: {
    ...person('petra.pictured@gmail.com', 'Petra Pictured'),
    picture: 'https://lh3.googleusercontent.com/a/petra',
  },
  unverified: { ...person('uma.unverified@gmail.com', 'Uma Unverified'), email_verified: false },
} satisfies Record<string, GooglePerson>;

function person(email: string, name: string): GooglePerson {
  return { email, name, hd: null, email_verified: true };
}
