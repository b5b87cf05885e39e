/** The error of a write that the database could not store; the operator has to act. */

export type WriteFailureReason = 'disk-full' | 'read-only' | 'broken-disk';

export class NotStored extends Error {
  readonly reason: WriteFailureReason;

  /** `what` names the database without the address of a server, because that holds the password. */
  constructor(why: WriteFailureReason, what: string, cause: unknown) {
    super(`${MESSAGES[why]} (${what}): nothing was stored. ${REMEDIES[why]}`, { cause });
    this.name = 'NotStored';
    this.reason = why;
  }
}

const MESSAGES = {
  'disk-full': 'The database disk is full',
  'read-only': "The database can't be written",
  'broken-disk': 'The database disk failed',
} as const satisfies Record<WriteFailureReason, string>;

const REMEDIES = {
  'disk-full': 'Free some space. Patchbay then recovers on its own.',
  'read-only': 'Make its file and folder, or its server, writable.',
  'broken-disk': 'Check the disk.',
} as const satisfies Record<WriteFailureReason, string>;
