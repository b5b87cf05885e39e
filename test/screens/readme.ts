/** The picture at the top of the README: a verified command, an alert and a waiting request. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { SandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { REPOSITORY } from './options.ts';
import { photograph } from './photographer.ts';
import { APPROVALS, announced, rebootUntil, requested } from './screen.ts';

const FOLDER = join(REPOSITORY, '.github');
const FILE = join(FOLDER, 'screenshot.png');
const LARGEST = 300_000;

/** Takes the picture; keeps the old one if the new one is too large. */
export async function drawReadme(people: SandboxPeople, browser: Browser): Promise<string> {
  await rebootUntil(people, 'web-01', 'verified');
  await people.runs('approver', 'subscribe here patch-failed', APPROVALS);
  await people.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason: 'held packages' });
  await announced(people, APPROVALS, 'held packages');
  await requested(people, 'patch web-02 severity:critical because CVE list', 'web-02', 'operator2');
  const place = mkdtempSync(join(tmpdir(), 'patchbay-readme-'));
  try {
    const file = join(place, 'picture');
    await photograph(
      browser,
      people.address,
      { user: 'approver2', at: APPROVALS },
      { kind: 'desktop', file },
    );
    const { size } = statSync(`${file}-desktop.png`);
    if (size >= LARGEST)
      throw new Error(`The picture has ${size} bytes; it must have fewer than ${LARGEST}.`);
    mkdirSync(FOLDER, { recursive: true });
    copyFileSync(`${file}-desktop.png`, FILE);
    return FILE;
  } finally {
    rmSync(place, { recursive: true });
  }
}
