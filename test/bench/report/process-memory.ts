/** The memory of a child of this process, as Linux reports it. */
import { readFile } from 'node:fs/promises';

/** MiB that the child that runs this file has in memory; null where the system is not Linux. Throws where there is no such child. */
export async function residentMemory(file: string): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  for (const pid of (await read(`self/task/${process.pid}/children`)).split(' ')) {
    const words = (await read(`${pid}/cmdline`)).split('\0');
    if (words.some((word) => word.endsWith(`/${file}`))) return residentMemoryOf(Number(pid));
  }
  throw new Error(`no child of this process runs ${file}`);
}

/** MiB that the process has in memory; null where it has ended or there is no `/proc`. */
export async function residentMemoryOf(pid: number): Promise<number | null> {
  return residentOf(await read(`${pid}/status`));
}

/** The line `VmRSS:  123456 kB`. */
export function residentOf(status: string): number | null {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? null : Number(kib) / 1_024;
}

/** A process that has ended, and a system without `/proc`, have nothing to read. */
async function read(path: string): Promise<string> {
  return readFile(`/proc/${path}`, 'utf8').catch(() => '');
}
