/** The command line: reads the verb, calls one file per verb. */
const VERBS = {
  start: async () => (await import('./start.ts')).start(),
  doctor: async () => (await import('./doctor/doctor.ts')).doctor(),
  manifest: async () => (await import('./slack/write-manifest.ts')).writeManifest(),
  sandbox: async (options: readonly string[]) => (await import('./sandbox/main.ts')).runSandbox(options),
} as const satisfies Readonly<Record<string, (options: readonly string[]) => Promise<void>>>;

export async function main([verb = '', ...options]: readonly string[]): Promise<void> {
  const run = Object.entries(VERBS).find(([name]) => name === verb)?.[1];
  if (run === undefined) {
    process.stderr.write(
      `Usage: npm start | npm run doctor | npm run manifest | npm run sandbox [-- options]\n`,
    );
    process.exitCode = 2;
    return;
  }
  await run(options);
}
