/** The approval rules with which rounds run. What each of them asks is written once more, by hand, in `checker/rule-files.ts`. */

export const RULE_FILES = ['calm', 'first', 'strict', 'loose', 'freeze'] as const;
export type RuleFile = (typeof RULE_FILES)[number];

/** They come before everything else of the configuration file, so that no half of it is a file. */
export const RULE_TEXTS: Readonly<Record<RuleFile, string>> = {
  calm: '',
  first: `
rules:
  - name: kiosks
    when: { devices: "group:Kiosks", commands: [reboot] }
    approvals: 2
    remind: 3m
    escalate: { after: 8m, to: [U0ADMIN0001] }
  - { name: databases, when: { devices: 'group:"Database servers"' }, approvers: [S0PRODUCTION], approvals: 2 }
  - { name: engineers, when: { devices: 'group:"Engineering laptops"', commands: [reboot] }, run: { perHour: 3 } }
  - { name: windows, when: { devices: 'group:"Windows servers"', commands: [patch] }, refuse: "Patch them in the console." }
  - { name: many, when: { atLeast: 4, commands: [reboot] }, approvers: { S0APPROVERS: 1, U0ADMIN0001: 1 } }
`,
  strict: `
rules:
  - { name: kiosks, when: { devices: "group:Kiosks", commands: [reboot] }, approvals: 3 }
  - { name: databases, when: { devices: "group:#3113" }, approvers: { S0APPROVERS: 1, U0ADMIN0001: 1 } }
  - { name: engineers, when: { devices: "group:#3122", commands: [reboot] }, run: { perHour: 1 } }
  - { name: many, when: { atLeast: 4, commands: [reboot] }, approvals: 2 }
`,
  loose: `
rules:
  - { name: kiosks, when: { devices: "group:Kiosks", commands: [reboot] }, approvals: 1 }
  - { name: databases, when: { devices: 'group:"Database servers"' }, approvers: [S0PRODUCTION] }
  - { name: engineers, when: { devices: 'group:"Engineering laptops"', commands: [reboot] }, run: { perHour: 5 } }
`,
  freeze: `
rules:
  - { name: freeze, refuse: "Nothing changes until Monday." }
`,
};
