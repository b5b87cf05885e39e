/** The organization itself and its people. */
import { instant } from '../../../lib/clock.ts';

export const ORGANIZATION_ID = 102_270;

/** When the organization was set up. */
export const CREATED_AT = instant(Date.parse('2022-04-29T01:30:09Z'));

/** The key opens nothing; a client must still treat it as a secret. */
export const SEEDED_ORGANIZATION = {
  name: 'Example Corporation',
  uuid: '5f0c2a4e-6d1b-4b8e-a3f7-9c2d1e0b4a68',
  createTime: CREATED_AT,
  accessKey: 'sandbox-access-key-not-for-chat',
} as const;

type ConsoleUser = {
  readonly id: number;
  readonly email: string;
  readonly firstname: string | null;
  readonly lastname: string | null;
};

/** Users of the organization's console, by their ids there. An invited one has no name yet. */
export const CONSOLE_USERS: readonly ConsoleUser[] = [
  { id: 701, email: 'ada@example.com', firstname: 'Ada', lastname: 'Kowalska' },
  { id: 702, email: 'ben@example.com', firstname: 'Ben', lastname: 'Okafor' },
  { id: 703, email: 'chi@example.com', firstname: 'Chi', lastname: 'Nguyen' },
  { id: 704, email: 'night-shift@example.com', firstname: null, lastname: null },
];
