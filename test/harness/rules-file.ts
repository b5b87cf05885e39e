/** Rules as a configuration file has them. */
import { compileRules } from '../../src/commands/rules/compile-rules.ts';
import { parseConfigurationFile } from '../../src/config/configuration-file.ts';
import type { RulesInForce } from '../../src/rules/rules.ts';

/** Everything but rules. */
export const FILE_HEAD = `roles:
  operator: [S0HELP, U0ALICE]
  approver: [S0IT, S0DBA, S0SEC, S0ONCALL, U0BOB, U0BOSS]
  admin: [U0ADMIN]
channels: {approvals: C01, patchAlerts: C02, newDevices: C03}
`;

/** Of lines such as `rules: [{ name: lab, run: { perHour: 3 } }]`. Throws with the faults. */
export function rulesFromFile(lines: string): RulesInForce {
  const read = parseConfigurationFile(`${FILE_HEAD}${lines}`);
  if (read.kind === 'faults') throw new Error(read.faults.join('\n'));
  const compiled = compileRules(read.configuration);
  if (compiled.kind === 'faults') throw new Error(compiled.faults.join('\n'));
  return compiled.inForce;
}
