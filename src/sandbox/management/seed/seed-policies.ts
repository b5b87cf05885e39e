/** The organization's policies. */
import type { WorldPolicy, WorldSchedule } from '../world/model.ts';
import { CREATED_AT } from './seed-organization.ts';

export const POLICY_IDS = {
  allPatches: 2_101,
  criticalPatches: 2_102,
  smbWorklet: 2_103,
  vpnRequired: 2_104,
} as const;

/** Every night: Monday to Sunday, in every week and month. */
const NIGHTLY: WorldSchedule = { days: 254, weeksOfMonth: 62, months: 8_190, time: '02:00', timezone: null };
/** Runs only by hand. */
const NEVER: WorldSchedule = { days: 0, weeksOfMonth: 0, months: 0, time: '00:00', timezone: null };

const patching = { type: 'patch', notes: '', schedule: NIGHTLY, createTime: CREATED_AT } as const;

/** The script and the password are useless to anybody, but a client must show neither. */
export const SEEDED_POLICIES: readonly WorldPolicy[] = [
  {
    ...patching,
    id: POLICY_IDS.allPatches,
    name: 'Apply All Patches',
    configuration: {
      patch_rule: 'all',
      filter_type: 'all',
      auto_patch: true,
      auto_reboot: false,
      notify_user: true,
      notify_reboot_user: false,
      custom_notification_patch_message: 'Updates are about to be installed. Please save your work.',
      custom_notification_max_delays: 3,
      custom_notification_deferment_periods: [1, 4, 8],
    },
  },
  {
    ...patching,
    id: POLICY_IDS.criticalPatches,
    name: 'Apply Critical Patches',
    configuration: {
      patch_rule: 'filter',
      filter_type: 'severity',
      severity_filter: ['critical'],
      auto_patch: true,
      auto_reboot: false,
      notify_user: false,
    },
  },
  {
    id: POLICY_IDS.smbWorklet,
    name: 'Disable SMBv1',
    type: 'custom',
    notes: 'Turns the old file sharing protocol off.',
    configuration: {
      os_family: 'Windows',
      evaluation_code:
        "$feature = Get-WindowsOptionalFeature -Online -FeatureName 'SMB1Protocol'\n" +
        "if ($feature.State -eq 'Disabled') { Exit 0 } else { Exit 1 }\n",
      remediation_code:
        "$password = 'hunter2-not-for-chat'\n" +
        "Disable-WindowsOptionalFeature -Online -FeatureName 'SMB1Protocol' -NoRestart\nExit 0\n",
    },
    schedule: NIGHTLY,
    createTime: CREATED_AT,
  },
  {
    id: POLICY_IDS.vpnRequired,
    name: 'Require VPN client',
    type: 'required_software',
    notes: '',
    configuration: {
      os_family: 'Windows',
      package_name: 'Acme VPN',
      package_version: '5.1.2',
      installation_code: 'msiexec /i acme-vpn.msi /qn',
      installation_secret: 'enrol-4f1d-not-for-chat',
    },
    schedule: NEVER,
    createTime: CREATED_AT,
  },
];
