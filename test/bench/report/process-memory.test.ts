import { expect, it } from 'vitest';
import { residentMemory, residentOf } from './process-memory.ts';

it('finds the resident memory among the lines of a status, in MiB', () => {
  expect(residentOf('VmHWM:\t  900000 kB\nVmRSS:\t  102400 kB\nRssAnon:\t 1 kB\n')).toBe(100);
});

it('is null for a process that has ended', () => {
  expect(residentOf('')).toBeNull();
});

it.runIf(process.platform === 'linux')('is an error where no child runs the file', async () => {
  await expect(residentMemory('nobody.ts')).rejects.toThrow('no child of this process runs nobody.ts');
});
