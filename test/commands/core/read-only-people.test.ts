/** Viewers are offered nothing that would be refused. */
import { describe, expect, it } from 'vitest';
import type { ReadPorts } from '../../../src/commands/core/command.ts';
import { registry } from '../../../src/commands/index.ts';
import { deviceId, policyId } from '../../../src/lib/ids.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice, aGroup, aPackage, aPolicy } from '../../harness/builders.ts';
import { testPorts } from '../harness/ports.ts';
import { namedLine, taken } from '../harness/typed-line.ts';

const worklet = aPolicy({ id: policyId(12), name: 'Harden SSH', type: 'custom' });
const content = {
  devices: [aDevice({ policies: [worklet] }), aDevice({ id: deviceId(1002), name: 'web-02' })],
  groups: [aGroup()],
  policies: [worklet],
  packages: [aPackage()],
};
const LINES = [
  'device web-01',
  'device web-01 policies',
  'packages web-01',
  'queue web-01',
  'devices',
  'groups',
  'group "Linux servers"',
  'policies',
  'policy "Harden SSH"',
  'missing openssl',
  'compliance',
  'events web-01',
];
/** Their answers have buttons that change something, for people who may. */
const OFFERING = ['device web-01', 'device web-01 policies', 'packages web-01', 'group "Linux servers"'];

/** Commands that the answer's buttons run, or whose forms they open. */
async function offered(line: string, more: Partial<ReadPorts>): Promise<readonly string[]> {
  const { name, words } = namedLine(line);
  const command = registry.find(name);
  if (command?.kind !== 'read') throw new Error(line);
  const view = await command.run(taken(command.parse(words)), 0, { ...testPorts(content).ports, ...more });
  return valuesIn(renderView(view).blocks).flatMap((text) => {
    const value = readButtonValue(text);
    return value?.do === 'run' || value?.do === 'form' ? [value.command] : [];
  });
}

function valuesIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(valuesIn);
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === 'value' && typeof value === 'string' ? [value] : valuesIn(value),
  );
}

const changes = (commands: readonly string[]) =>
  commands.filter((command) => registry.find(command)?.kind === 'write');
const refused = { kind: 'not-allowed', need: 'operator', role: 'viewer', ask: [] } as const;

describe('what buttons offer', () => {
  it.each(LINES)('nothing below “%s” asks for a change that its reader may not ask for', async (line) => {
    expect(changes(await offered(line, { refusal: async () => refused }))).toEqual([]);
  });

  it.each(OFFERING)('but “%s” offers changes to who may ask for them', async (line) => {
    expect(changes(await offered(line, { refusal: async () => null }))).not.toEqual([]);
  });
});
