/** Keeps, removes and lists lines with names, for aliases and saved targets alike. */
import { nearest } from '../inventory/nearest.ts';
import type { NamedKind, NamedLine } from '../store/settings-records.ts';
import type { View } from '../views/model.ts';
import type { NameRow } from '../views/models/settings-model.ts';
import type { SettingPorts } from './command.ts';
import { problemView } from './line/faults.ts';
import type { NamedOrder } from './line/named-line.ts';
import { ROOT } from './root.ts';
import { MOST_NAMES, type NamedLines } from './settings.ts';

export type NamedThing = {
  readonly kind: NamedKind;
  readonly lines: NamedLines;
  /** The command that removes one. */
  readonly command: string;
};
type Done = Extract<View, { kind: 'names' }>['done'];

/** What is everybody's takes the right to configure. */
export async function carryOut(order: NamedOrder, thing: NamedThing, ports: SettingPorts): Promise<View> {
  if (order.do === 'list') return list(thing, ports, null);
  const { name, shared } = order;
  const refused = shared ? await ports.refusal('configure') : null;
  if (refused !== null) return problemView(refused);
  const owner = shared ? null : ports.asker;
  if (order.do === 'keep') return keep({ name, owner, by: ports.asker, line: order.line }, thing, ports);
  const removed = await thing.lines.remove({ owner, name, by: ports.asker });
  return removed ? list(thing, ports, { kind: 'removed', name, shared }) : absent(name, shared, thing, ports);
}

async function keep(
  named: Omit<NamedLine, 'at'>,
  { kind: of, lines, command }: NamedThing,
  { clock }: SettingPorts,
): Promise<View> {
  const shared = named.owner === null;
  if ((await lines.keep(named)) === 'full') {
    return problemView({ kind: 'names-full', of, most: MOST_NAMES, shared });
  }
  const done = { kind: 'kept', name: named.name, shared } as const;
  const rows = [{ named: { ...named, at: clock.now() }, remove: removal(command, named) }];
  return { kind: 'names', of, rows, most: MOST_NAMES, done, root: ROOT };
}

async function list(
  { kind: of, lines, command }: NamedThing,
  ports: SettingPorts,
  done: Done,
): Promise<View> {
  const mayShare = (await ports.refusal('configure')) === null;
  const rows = (await lines.list(ports.asker)).map((named): NameRow => {
    const mine = named.owner !== null || mayShare;
    return { named, remove: mine ? removal(command, named) : null };
  });
  return { kind: 'names', of, rows, most: MOST_NAMES, done, root: ROOT };
}

function removal(command: string, { name, owner }: Pick<NamedLine, 'name' | 'owner'>) {
  return { command, input: { do: 'remove', name, shared: owner === null } satisfies NamedOrder };
}

/** A press that was carried out twice ends here the second time. */
async function absent(name: string, shared: boolean, { kind: of, lines }: NamedThing, ports: SettingPorts) {
  const known = (await lines.list(ports.asker)).filter(({ owner }) => (owner === null) === shared);
  const near = nearest(
    name,
    known.map((one) => one.name),
  );
  return problemView({ kind: 'no-such-name', of, name, shared, nearest: near });
}
