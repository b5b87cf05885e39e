/** Plans a change as it is typed. */
import type { ReadPorts } from '../../../src/commands/core/command.ts';
import { registry } from '../../../src/commands/index.ts';
import { namedLine, taken } from './typed-line.ts';

export async function planLine(line: string, ports: ReadPorts) {
  const { name, words } = namedLine(line);
  const command = registry.find(name);
  if (command?.kind !== 'write') throw new Error(name);
  return command.plan(taken(command.parse(words)), ports);
}

/** Its proposal, with the ids of the devices in the order of their waves. */
export async function proposalOf(line: string, ports: ReadPorts) {
  const planned = await planLine(line, ports);
  if (planned.kind !== 'proposal') throw new Error(JSON.stringify(planned));
  const { proposal, leftOut = [] } = planned;
  return { ...proposal, leftOut, ids: proposal.targets.map(({ deviceId: id }) => Number(id)) };
}
