/** The configuration file of a running bot, written as from outside. */
import { expect, it } from 'vitest';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const people = useSandboxPeople();
const RULE = `rules:
  - name: production
    when: { devices: "tag:production", commands: [reboot] }
    approvers: [S0PRODUCTION]
    approvals: 2
`;
const whoDecides = async () => (await people.runs('operator', 'explain reboot web-01')).text;
const rulesText = 'production (1 device): 0 of 2 · <!subteam^S0PRODUCTION>';

it('a new file is in force once the call has answered', async () => {
  const { text: first } = await people.configuration();
  expect(await whoDecides()).not.toContain('production');
  expect(await people.writeConfiguration(first + RULE)).toEqual({ ok: true, problems: [] });
  expect(await people.configuration()).toEqual({ text: first + RULE });
  expect(await whoDecides()).toContain(rulesText);
});

it('a file with a fault is refused with its place, and the one before stays in force', async () => {
  const { text } = await people.configuration();
  const broken = text.replace('approvals: 2', 'aprovals: 1');
  const problems = ['line 20, column 5: rules.0 has an unknown key: aprovals; did you mean approvals?'];
  expect(await people.writeConfiguration(broken)).toEqual({ ok: false, problems });
  expect(await people.configuration()).toEqual({ text: broken });
  expect(await whoDecides()).toContain(rulesText);
  expect(await people.writeConfiguration(text)).toEqual({ ok: true, problems: [] });
});

it('a reset puts the first file in force again, also in a process that was started with another', async () => {
  await people.bot({ do: 'stop' });
  const { text } = await people.configuration();
  await people.bot({ do: 'start' });
  expect(await whoDecides()).toContain(rulesText);
  await people.reset();
  expect(await people.configuration()).toEqual({ text: text.replace(RULE, '') });
  expect(await whoDecides()).not.toContain('production');
});
