/** Rollouts whose product is killed meanwhile: how their tests request them, and what came of them. */
import { expect } from 'vitest';
import { onlineDevices } from '../harness/online-devices.ts';
import {
  cardKeyIn,
  type PersonName,
  type PostedCard,
  type SandboxPeople,
} from '../harness/sandbox-people.ts';

type Row = Readonly<Record<string, unknown>>;

/** Calls that a kill may leave with an unknown outcome. */
export const IN_FLIGHT = 4;

type Killable = SandboxPeople & {
  /** The rows of a query on the product's database. */
  readonly query: (sql: string) => Promise<readonly Row[]> | readonly Row[];
};

export function killedRollouts(people: Killable) {
  /** The devices that were sent something, by each call. */
  const sent = async () =>
    (await people.writes()).map((write) => /^POST \/servers\/(\d+)\//.exec(write)?.[1] ?? '');
  const targets = async () =>
    people.query('select device_id, state, ended_at from request_targets order by position');
  return {
    sent,
    targets,
    /** Requests a reboot of so many devices without waiting for an answer, which a kill may lose. */
    ask: async (count: number, options: string) => {
      const names = (await onlineDevices(people)).slice(0, count).map((id) => `#${id}`);
      const text = `reboot ${names.join(',')} ${options} because kernel`;
      await people.command({ user: 'operator', channel: 'ops', command: '/fleet', text });
    },
    /** Killed between the record of a submission and its answer, the product goes on with what it recorded. */
    press: (on: PostedCard, user: PersonName, action: string) =>
      people.push(user, on, action).catch((error: unknown) => {
        if (!String(error).includes('operation_timeout')) throw error;
      }),
    /** So many commands are answered with this. */
    failCommands: (status: number, times: number) =>
      people.fault({
        service: 'management',
        match: 'POST /servers/{id}/queues',
        kind: 'status',
        status,
        times,
      }),
    hold: async () => {
      const [request] = await people.query('select rollout from requests');
      const rollout: unknown = JSON.parse(String(request?.['rollout']));
      return (rollout as { readonly hold: { readonly kind: string } | null }).hold;
    },
    isEnded: async () => (await people.query("select 1 from requests where state = 'ended'")).length === 1,
    /** The messages to the requester at its end. */
    told: async () =>
      (await people.messages('@operator', 'operator')).filter((one) => cardKeyIn(one)?.startsWith('told:')),
    /** What stands in the channel for approvals, by its kind. */
    shown: async () =>
      (await people.posts('approvals')).map((one) => cardKeyIn(one)?.split(':')[0]).toSorted(),
    /** Each device got the command once, or it is not known that it did not. */
    expectSentOnce: async (mostUnknown: number) => {
      const devices = await sent();
      expect(devices.toSorted()).toEqual([...new Set(devices)].toSorted());
      const states = await targets();
      const unsent = states.filter(({ device_id: id }) => !devices.includes(String(id)));
      expect(unsent.filter(({ state }) => state !== 'unknown')).toEqual([]);
      const unknown = states.filter(({ state }) => state === 'unknown');
      expect(unknown.length).toBeLessThanOrEqual(mostUnknown);
    },
  };
}
