/** `npm run sandbox`: reads its options, starts everything, prints the addresses, and stops on Ctrl-C. */
import { once } from 'node:events';
import { type CommandLineOptions, HELP, parseCommandLine, USAGE } from './command-line-options.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

/** Runs the sandbox until SIGINT or SIGTERM. Exit code 2 for wrong settings, 1 when it cannot start. */
export async function runSandbox(args: readonly string[]): Promise<void> {
  const read = parseCommandLine(args);
  if (read.kind === 'help') return printLines(HELP);
  if (read.kind === 'faults') return fail(2, ...read.faults, `Usage: ${USAGE}`);
  const { options } = read;
  const databaseUrl = process.env['DATABASE_URL'] === '' ? undefined : process.env['DATABASE_URL'];
  const ending = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  printLines(bannerText(options, databaseUrl));
  const starting = start(options, databaseUrl);
  const sandbox = await Promise.race([starting, ending.then(() => undefined)]);
  if (sandbox) {
    printLines(...readyText(sandbox, options));
    await ending;
  }
  await (await starting)?.stop();
}

async function start(
  options: CommandLineOptions,
  databaseUrl: string | undefined,
): Promise<Sandbox | undefined> {
  try {
    return await createSandbox({
      ...options,
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
      onLine: (line) => process.stderr.write(`${line}\n`),
    });
  } catch (error) {
    if (isPortTaken(error)) {
      fail(2, `Port ${options.port} is in use. Choose another with --port N (0 picks a free one).`);
    } else {
      fail(1, `Couldn’t start the sandbox: ${error instanceof Error ? error.message : String(error)}`);
    }
    return undefined;
  }
}

function bannerText({ only }: CommandLineOptions, databaseUrl: string | undefined): string {
  if (only === 'management') return 'Starting a local management service…';
  const store =
    databaseUrl === undefined
      ? ''
      : ' on the database in DATABASE_URL (resetting the sandbox deletes its tables)';
  return `Starting a local management service, a Slack workspace and Patchbay${store}…`;
}

function readyText({ address, management }: Sandbox, { only }: CommandLineOptions): readonly string[] {
  const ready = `Patchbay sandbox ready: ${address}`;
  if (only === undefined) return [ready];
  const { baseUrl, apiKey, readOnlyKey, expiredKey, organizationId } = management;
  return [
    ready,
    `FLEET_BASE_URL=${baseUrl}`,
    `FLEET_API_KEY=${apiKey}`,
    `FLEET_ORGANIZATION=${organizationId}`,
    `READ_ONLY_KEY=${readOnlyKey}`,
    `EXPIRED_KEY=${expiredKey}`,
    `CONTROL=${address}/sandbox`,
    `curl -H 'Authorization: Bearer ${apiKey}' '${baseUrl}/servers?o=${organizationId}&limit=1&page=0'`,
  ];
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function printLines(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function fail(exitCode: number, ...lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = exitCode;
}
