/** Keeps, removes and lists lines with names, for aliases and saved targets alike. */
import { nearestNames } from '../../inventory/nearest-names.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { NamedLine, StoredLineKind } from '../../store/port/settings-records.ts';
import type { View } from '../../views/model.ts';
import type { Offer } from '../../views/models/offer-model.ts';
import type { NamedLineRow } from '../../views/models/settings-model.ts';
import type { SettingPorts } from '../core/command.ts';
import type { NamedLineInput } from '../parser/named-line-parser.ts';
import { problemView } from '../parser/usage-errors.ts';
import { MAX_NAMES, type NamedLines } from './settings-port.ts';

export type NamedLineKind = {
  readonly kind: StoredLineKind;
  readonly lines: NamedLines;
  /** The command that removes one. */
  readonly command: string;
};
/** What is everybody's takes the right to configure. */
export async function runNamedLineCommand(
  order: NamedLineInput,
  lineKind: NamedLineKind,
  ports: SettingPorts,
): Promise<View> {
  if (order.do === 'list') return listLines(lineKind, ports, null);
  const { name, shared } = order;
  const refused = shared ? await ports.refusal('configure') : null;
  if (refused !== null) return problemView(refused);
  const owner = shared ? null : ports.asker;
  if (order.do === 'keep')
    return saveLine({ name, owner, by: ports.asker, line: order.line }, lineKind, ports);
  const removed = await lineKind.lines.remove({ owner, name, by: ports.asker });
  return removed
    ? listLines(lineKind, ports, { kind: 'removed', name, shared })
    : unknownName(name, shared, lineKind, ports);
}

async function saveLine(
  named: Omit<NamedLine, 'at'>,
  { kind: of, lines, command }: NamedLineKind,
  { clock, inventory }: SettingPorts,
): Promise<View> {
  const shared = named.owner === null;
  // Whoever types the device's name alone wants the device, not somebody else's line.
  if (of === 'alias' && shared) {
    const same = await inventory.find(named.name, { exact: true, namesOnly: true });
    if (same.kind !== 'none') return problemView({ kind: 'alias-is-device', name: named.name });
  }
  if ((await lines.save(named)) === 'full') {
    return problemView({ kind: 'names-full', of, most: MAX_NAMES, shared });
  }
  const done = { kind: 'kept', name: named.name, shared } as const;
  const rows = [{ named: { ...named, at: clock.now() }, remove: removeChoice(command, named.name, shared) }];
  return { kind: 'names', of, rows, most: MAX_NAMES, done, root: ROOT_COMMAND };
}

async function listLines(
  { kind: of, lines, command }: NamedLineKind,
  ports: SettingPorts,
  done: Extract<View, { kind: 'names' }>['done'],
): Promise<View> {
  const mayShare = (await ports.refusal('configure')) === null;
  const rows = (await lines.list(ports.asker)).map((named): NamedLineRow => {
    const shared = named.owner === null;
    return { named, remove: shared && !mayShare ? null : removeChoice(command, named.name, shared) };
  });
  return { kind: 'names', of, rows, most: MAX_NAMES, done, root: ROOT_COMMAND };
}

function removeChoice(command: string, name: string, shared: boolean) {
  return { command, input: { do: 'remove', name, shared } satisfies NamedLineInput };
}

/** A press that was carried out twice ends here the second time. */
async function unknownName(
  name: string,
  shared: boolean,
  { kind: of, lines, command }: NamedLineKind,
  ports: SettingPorts,
) {
  const known = (await lines.list(ports.asker)).filter(({ owner }) => (owner === null) === shared);
  const near = nearestNames(
    name,
    known.map((one) => one.name),
  );
  const offers = near.map((right): Offer => {
    const line = `${ROOT_COMMAND} ${command} remove ${shared ? 'shared ' : ''}${right}`;
    return { kind: 'line', does: 'set', line, choice: removeChoice(command, right, shared) };
  });
  return problemView({ kind: 'no-such-name', of, name, shared, offers });
}
