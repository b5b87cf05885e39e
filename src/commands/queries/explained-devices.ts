/** All devices of a change that is only explained, kept as they were planned, so that its pages belong together. */
import type { ExplainedDevicesView, ExplainedRow } from '../../views/answers/explained-devices.ts';
import type { Planned, ReadPorts } from '../core/command.ts';
import { cacheResult, type FoundList, type ListInput } from '../lists/paging.ts';
import { defineResultList, inRows, rowWeight } from '../lists/result-cache.ts';

export const explainedPages = defineResultList<ExplainedDevicesView>(20, ({ rows }) =>
  rowWeight(rows, (row) =>
    row.kind === 'target' && row.facts.deviceId !== null ? inRows(row.facts.packages) : 0,
  ),
);

/** Keeps the devices of what was planned. `input`: the command's, which plans it again once they are not kept any more. */
export function keepExplained(
  { proposal: { command, targets }, leftOut = [] }: Extract<Planned, { kind: 'proposal' }>,
  { result, ...input }: ListInput & object,
  ports: ReadPorts,
): FoundList<ExplainedDevicesView> {
  const rows: readonly ExplainedRow[] = [
    ...targets.map((facts) => ({ kind: 'target', facts }) as const),
    ...leftOut.map((target) => ({ kind: 'left-out', target }) as const),
  ];
  const place = { page: 0, pages: 1, total: rows.length, asOf: ports.clock.now() };
  const paging = { command: 'explain', input: { ...input, list: true }, ...place };
  const content = { kind: 'explain-devices', command, devices: targets.length, rows, paging } as const;
  return cacheResult(explainedPages, content, result === undefined ? {} : { result }, ports);
}
