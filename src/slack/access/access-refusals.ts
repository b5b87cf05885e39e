/**
 * Who is refused: people without a role, and payloads of others. Refusals are recorded in the log and the audit, so that
 * probing is noticed. Both are limited per person: a refusal costs its maker only a press.
 */
import { z } from 'zod';
import { type Clock, HOUR } from '../../lib/clock.ts';
import { type PersonId, personId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { AuditEntry, Store } from '../../store/port/store.ts';
import type { View } from '../../views/views.ts';
import { createRateLimiter, type Payload, type RateLimiter } from '../receiver/request-checks.ts';
import type { Identity } from '../web-api/slack-web.ts';

export type AccessRefusals = Readonly<ReturnType<typeof createAccessRefusals>>;

/** Decides which attempts of one person are recorded. */
export function hourlyLimiter(clock: Pick<Clock, 'now'>): RateLimiter {
  return createRateLimiter({ clock, max: MAX_PER_HOUR, everyMs: HOUR });
}

export type RefusalsOptions = {
  readonly audit: Pick<Store['audit'], 'append'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
};

/** Audit entries per person and hour, in each process; the next entry says how many were left out. */
const MAX_PER_HOUR = 5;
/** Slack's user ids; anything else is not recorded as an actor. */
const PERSON_ID = /^[UW][A-Z0-9_]{1,30}$/;
const MAX_ID_LENGTH = 30;

export function createAccessRefusals({ audit, clock, log }: RefusalsOptions) {
  const bounded = hourlyLimiter(clock);

  const record = (key: string, entry: Omit<AuditEntry, 'at'>): void => {
    const passed = bounded(key);
    if (!passed.pass) return;
    const detail = { ...entry.detail, ...(passed.skipped === 0 ? {} : { skipped: passed.skipped }) };
    log.warn({ event: entry.action, actor: entry.actor, ...detail }, 'access denied');
    audit.append({ ...entry, detail, at: clock.now() }).catch((error: unknown) => {
      log.error({ event: 'access.unaudited', err: error }, 'could not record a denied access in the audit');
    });
  };

  return {
    /** Records `answer` when it refuses a role, and returns it unchanged. */
    recordRefusal(person: PersonId, attempt: string, answer: View): View {
      if (answer.kind !== 'problem' || answer.problem.kind !== 'not-allowed') return answer;
      const { need, role } = answer.problem;
      const detail: AuditEntry['detail'] = { attempt, need, role };
      record(person, { actor: person, action: 'access.refused', subject: attempt, detail });
      return answer;
    },
    /** Whether a payload belongs to another app, team or person; records it if so. */
    isForeign: (home: OwnInstallation) => (payload: Payload) => {
      const foreign = foreignOriginOf(home, payload);
      if (foreign === null) return false;
      const person = personOf(payload) ?? '';
      const actor = PERSON_ID.test(person) ? personId(person) : 'patchbay';
      const { what, id } = foreign;
      const entry = { actor, action: 'access.foreign', subject: id.slice(0, MAX_ID_LENGTH) } as const;
      record(`${actor} ${what}`, { ...entry, detail: { origin: what } });
      return true;
    },
  };
}

/** Our own installation, and the teams that the configuration file accepts besides. */
export type OwnInstallation = Pick<Identity, 'teamId' | 'enterpriseId' | 'isOrgWide' | 'appId'> & {
  readonly otherTeams: readonly string[];
};

/** What belongs to somebody else, and its id from Slack. */
type ForeignOrigin = { readonly what: 'app' | 'team' | 'enterprise' | 'person'; readonly id: string };

const text = z.string().optional().catch(undefined);
const flag = z
  .union([z.boolean(), z.literal('true').transform(() => true)])
  .optional()
  .catch(undefined);
const named = z.object({ id: text }).optional().catch(undefined);
const authorization = z.object({ team_id: text, enterprise_id: text, is_enterprise_install: flag });

/** All fields are optional; one of another shape counts as missing. */
const originSchema = z.object({
  api_app_id: text,
  team_id: text,
  enterprise_id: text,
  team: named,
  enterprise: named,
  user: z.object({ id: text, team_id: text }).optional().catch(undefined),
  user_id: text,
  view: z.object({ app_installed_team_id: text }).optional().catch(undefined),
  authorizations: z.array(authorization).optional().catch(undefined),
  is_ext_shared_channel: z.boolean().optional().catch(undefined),
  event: z.object({ user: text, user_team: text, source_team: text, team: text }).optional().catch(undefined),
});
type PayloadOrigin = z.output<typeof originSchema>;
type InstallationIds = { readonly team: string | undefined; readonly enterprise: string | undefined };

/** Null where the payload is ours. */
export function foreignOriginOf(own: OwnInstallation, payload: Payload): ForeignOrigin | null {
  const origin = originSchema.parse(payload);
  const { api_app_id: app } = origin;
  if (app !== undefined && own.appId !== null && app !== own.appId) return { what: 'app', id: app };
  return foreignInstall(own, installsOf(origin)) ?? foreignPerson(own, origin);
}

/** The user id for the log; null where there is none. */
function personOf(payload: Payload): string | null {
  const { user, user_id, event } = originSchema.parse(payload);
  return user?.id ?? user_id ?? event?.user ?? null;
}

/** The installations that a payload is for. An event or a window lists its own: its team may be the other one in a shared channel. */
function installsOf(origin: PayloadOrigin): readonly InstallationIds[] {
  const { authorizations = [], view, team, enterprise } = origin;
  if (authorizations.length > 0) {
    return authorizations.map((one) => ({ team: one.team_id, enterprise: one.enterprise_id }));
  }
  const id = view?.app_installed_team_id ?? team?.id ?? origin.team_id;
  return [{ team: id, enterprise: enterprise?.id ?? origin.enterprise_id }];
}

function foreignInstall(home: OwnInstallation, installs: readonly InstallationIds[]): ForeignOrigin | null {
  const found = installs.map((install) => foreignTeam(home, install));
  return found.includes(null) ? null : (found[0] ?? null);
}

function foreignTeam(home: OwnInstallation, { team, enterprise }: InstallationIds): ForeignOrigin | null {
  const others = enterprise !== undefined && enterprise !== home.enterpriseId;
  if (team === undefined) {
    if (others) return { what: 'enterprise', id: enterprise };
    return home.isOrgWide && enterprise !== undefined ? null : { what: 'team', id: 'none' };
  }
  if (home.otherTeams.includes(team)) return null;
  // An enterprise-wide installation covers each of its teams.
  if (home.isOrgWide && enterprise !== undefined && !others) return null;
  if (!isOwnTeam(home, team)) return { what: 'team', id: team };
  return others ? { what: 'enterprise', id: enterprise } : null;
}

function foreignPerson(home: OwnInstallation, origin: PayloadOrigin): ForeignOrigin | null {
  const { event, user } = origin;
  const team = event === undefined ? user?.team_id : (event.user_team ?? event.source_team ?? event.team);
  if (team === undefined || isOwnTeam(home, team) || home.otherTeams.includes(team)) return null;
  return home.isOrgWide && isSharedInto(origin, team) ? null : { what: 'person', id: team };
}

/** Whether the person is of the enterprise: in the payload's own team, or in a channel that is not shared externally. */
function isSharedInto({ event, is_ext_shared_channel, team }: PayloadOrigin, of: string): boolean {
  return event === undefined ? team?.id === of : is_ext_shared_channel === false;
}

function isOwnTeam({ teamId, enterpriseId }: OwnInstallation, team: string): boolean {
  return team === teamId || team === enterpriseId;
}
