/** Kinds of values that stand in several sections of the configuration file, each with what a fault of it says. */
import { z } from 'zod';
import { HOUR, MINUTE } from '../lib/clock.ts';
import { personId, userGroupId } from '../lib/ids.ts';

const MEMBER = 'must be a Slack user id (U… or W…) or user group id (S…), not a name';
export const member = z.string({ error: MEMBER }).regex(/^[UWS][A-Z0-9]{2,}$/, { error: MEMBER });
export const memberIds = z.array(member, { error: 'must be a list of ids, such as [U0123456789]' });

/** Apart: user groups are read from Slack. */
export function peopleOf(ids: readonly string[]) {
  return {
    people: ids.filter((id) => !id.startsWith('S')).map(personId),
    userGroups: ids.filter((id) => id.startsWith('S')).map(userGroupId),
  };
}

/** A missing value gets another message than a wrong one. */
export function missingOrWrong(missing: string, wrong: string) {
  return ({ input }: { readonly input?: unknown }): string =>
    input === undefined || input === null ? missing : wrong;
}

const DURATION = /^([1-9]\d{0,4}) ?(m|h)$/;
/** In milliseconds, written as `15m` or `1h`; up to so many hours. */
export function duration(hours: number, example: string) {
  const fault = { error: `must be a duration from 1m to ${hours}h, such as ${example}` };
  return z
    .string(fault)
    .regex(DURATION, fault)
    .transform((text) => {
      const [, count, unit] = DURATION.exec(text) ?? [];
      return Number(count) * (unit === 'h' ? HOUR : MINUTE);
    })
    .refine((ms) => ms >= MINUTE && ms <= hours * HOUR, fault);
}

/** A whole number from 1 to so many. */
export function countTo(most: number) {
  const fault = { error: `must be a whole number from 1 to ${most}` };
  return z.int(fault).min(1, fault).max(most, fault);
}
