import { describe, expect, it } from 'vitest';
import { isUnanswered } from '../../../src/fleet/queue-entries.ts';
import { queueEntryReader } from '../../../src/fleet/schema/queue-entry.ts';
import { deviceId, organizationId } from '../../../src/lib/ids.ts';

const read = queueEntryReader(organizationId(7), deviceId(42));
function entryWith(response: unknown) {
  const row = read({ id: 555, server_id: 42, command_type_name: 'GetOS', response });
  if (row.kind !== 'row') throw new Error(row.kind);
  return row.row;
}

describe('the response of a queue entry', () => {
  it.each([
    ['text', 'Rebooting', null, 'Rebooting'],
    ['empty text', '', null, null],
    ['a number', 0, 0, null],
    ['a negative number', -1_073_741_502, -1_073_741_502, null],
    ['a code sent unsigned', 3_221_225_794, -1_073_741_502, null],
    ['a number as text', ' 3 ', 3, null],
    ['a hexadecimal number as text', '0xC0000142', -1_073_741_502, null],
    ['a list with a hexadecimal code', ['0x80070643', 'out', null], -2_147_023_293, 'out'],
    ['words that begin with a number', '3 packages', null, '3 packages'],
    ['a list of exit code, output and rest', ['0', 'Installing …', null], 0, 'Installing …'],
    ['a list with a number', [1, 'No space left', 'E: held'], 1, 'No space left\nE: held'],
    ['a list of words', ['Installing', 'Done'], null, 'Installing\nDone'],
    ['a list in a list', [['0', 'Done', null]], 0, 'Done'],
    ['an object', { exit_code: '2', stdout: 'out', stderr: 'err' }, 2, 'out\nerr'],
    ['an object in other letters', { exitCode: 0, Output: 'out' }, 0, 'out'],
    ['an object around a list', { response: ['5', 'out', null] }, 5, 'out'],
    ['an object of unknown fields', { phase: 'done' }, null, null],
    ['a list as JSON text', '["0","Installing",null]', 0, 'Installing'],
    ['an object as JSON text', '{"exit_code":1,"output":"out"}', 1, 'out'],
    ['JSON text inside JSON text', '"[\\"0\\",\\"out\\"]"', 0, 'out'],
    ['half a JSON', '["0", "Inst', null, '["0", "Inst'],
    ['true', true, null, 'true'],
  ])('is read as %s', (_what, sent, exitCode, output) => {
    const entry = entryWith(sent);
    expect(entry.response).toEqual({ exitCode, output });
    expect(isUnanswered(entry)).toBe(false);
  });

  it.each([
    ['null', null],
    ['nothing', undefined],
    ['an empty list', []],
    ['a list of nulls', [null, null]],
    ['an empty object', {}],
  ])('is null when it is %s', (_what, sent) => {
    const entry = entryWith(sent);
    expect(entry.response).toBeNull();
    expect(isUnanswered(entry)).toBe(true);
  });

  it('of any depth is read safely', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(500)}"out"${']'.repeat(500)}`);
    expect(entryWith(deep).response).toEqual({ exitCode: null, output: null });
  });
});
