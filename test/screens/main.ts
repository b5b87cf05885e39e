/**
 * `npm run screens`: takes pictures of what people read, at desktop and phone width, and writes the command line's
 * output. Each screen starts from a fresh sandbox at nine in the morning.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { DAY, HOUR, SECOND } from '../../src/lib/clock.ts';
import { type SandboxPeople, startSandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { launchBrowser } from '../sandbox/page/harness/browser.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { type Kind, photograph, WIDTHS } from './photographer.ts';
import { drawReadme } from './readme.ts';
import type { Screen } from './screen.ts';
import { writeTexts } from './texts.ts';

const KINDS = Object.keys(WIDTHS) as readonly Kind[];

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** So that two runs show the same times. */
const MORNING = 9 * HOUR;

/** Resets to the seed. The bot is killed first, because work of an earlier screen would delay its stop. */
async function fresh(people: SandboxPeople): Promise<void> {
  await people.bot({ do: 'kill' });
  await people.clearFaults();
  const { clock } = await people.state();
  const wait = (MORNING - (clock % DAY) + DAY) % DAY;
  const seconds = Math.ceil(wait / SECOND);
  if (seconds > 0) await people.advance(`${seconds}s`);
  const { ok, error } = await people.reset();
  if (!ok) throw new Error(`the sandbox was not reset: ${error}`);
}

async function drawScreen(
  people: SandboxPeople,
  browser: Browser,
  { name, draw }: Screen,
  folder: string,
): Promise<void> {
  await fresh(people);
  const place = await draw(people);
  for (const kind of KINDS)
    await photograph(browser, people.address, place, { kind, file: join(folder, name) });
}

/** `home`: the folder of the sandbox's database. */
type Stage = { readonly people: SandboxPeople; readonly browser: Browser; readonly home: string };

/** Takes the requested pictures; false if some failed. */
async function drawAll({ people, browser, home }: Stage, options: Options): Promise<boolean> {
  if (options.kind === 'readme') {
    await fresh(people);
    say(await drawReadme(people, browser));
    return true;
  }
  const { folder, screens, withTexts } = options;
  mkdirSync(folder, { recursive: true });
  let isWhole = true;
  for (const screen of screens) {
    try {
      await drawScreen(people, browser, screen, folder);
      say(screen.name);
    } catch (error) {
      isWhole = false;
      say(`${screen.name} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (withTexts) for (const name of await writeTexts(people, home, folder)) say(name);
  say(folder);
  return isWhole;
}

function readArguments(): Options | null {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exitCode = 2;
    return null;
  }
}

if (process.argv.includes('--help')) {
  say(USAGE);
  process.exit(0);
}
const options = readArguments();
if (options !== null) {
  const home = mkdtempSync(join(tmpdir(), 'patchbay-screens-home-'));
  const people = await startSandboxPeople({ databaseUrl: `sqlite:${join(home, 'patchbay.sqlite')}` });
  const browser = await launchBrowser();
  try {
    if (!(await drawAll({ people, browser, home }, options))) process.exitCode = 1;
  } finally {
    await browser.close();
    await people.stop();
    rmSync(home, { recursive: true });
  }
}
