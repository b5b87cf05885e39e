/**
 * The field tables of the interface document (§2.1 to §2.8, §4.2, §6), written by hand, and where each field goes: a
 * test compares the readers with them. Each kind has two different values, and some kinds have other forms of the first
 * one.
 */

export type Row = Readonly<Record<string, unknown>>;
type Form = { readonly one: unknown; readonly other: unknown; readonly alike?: readonly unknown[] };

const KINDS = {
  integer: { one: 11, other: 12, alike: ['11', ' 11 '] },
  text: { one: '5', other: 'other', alike: [5] },
  truth: { one: true, other: false, alike: [1, '1', 'true', 'True', 'TRUE'] },
  untruth: { one: false, other: true, alike: [0, '0', 'false', 'False', null] },
  time: { one: '2024-05-16T12:00:00+0000', other: '2025-05-16T12:00:00Z', alike: ['2024-05-16 12:00:00'] },
  texts: { one: ['5'], other: ['5', 'b'], alike: ['5', 5, [5], ['5', null], [{}, '5', []]] },
  digits: { one: '8589934592', other: '0', alike: [8589934592] },
  truthText: { one: 'True', other: 'False', alike: [true, 1, '1', 'true'] },
  commas: { one: 'a,b', other: 'off', alike: ['a, b', ',a,b,', ['a', 'b']] },
  score: { one: '9.6', other: 0, alike: [9.6] },
  ids: { one: [7], other: [8, 9], alike: [['7'], [7, 0], [7, null, 'x'], 7] },
  patches: { one: '"a" "b"', other: '', alike: [['a', 'b'], 'a,b', 'a b'] },
  // Objects: their fields have rows of their own.
  object: { one: { id: 7, TYPE: 'a', device_status: 'ready' }, other: {} },
  objects: { one: [{ id: 7, TYPE: 'a' }], other: [null] },
  wsus: { one: null, other: { is_managed: false, server_url: 'http://x:8530' } },
  data: { one: { text: 'a' }, other: null },
  unknown: { one: [{ a: 1 }], other: null },
} as const satisfies Record<string, Form>;

type Kind = keyof typeof KINDS;
export const formOf = (kind: Kind): Form => KINDS[kind];

export type FieldMapping =
  /** Its path in the model. */
  | string
  /** Compared with the requested one: a row that names another is rejected. */
  | { readonly checked: string }
  /** Why it is not needed. */
  | { readonly leftOut: string };
export type FieldMappings = Readonly<Record<string, FieldMapping>>;
type Fields = Readonly<Record<string, readonly [Kind, FieldMapping]>>;

type Section = '§2.1' | '§2.2' | '§2.3' | '§2.4' | '§2.5' | '§2.6' | '§2.7' | '§2.8' | '§4.2' | '§6';

export type Table = {
  readonly section: Section;
  readonly resource: 'group' | 'device' | 'package' | 'queueEntry' | 'event' | 'previewedDevice';
  /** Where the fields are in a row of the resource. */
  readonly under: string;
  readonly documented: Fields;
  /** Fields that only the live service has. */
  readonly newer?: Fields;
};

const ORGANIZATION = { checked: 'the organization' } as const;
const DEVICE = { checked: 'the device' } as const;
const OF_THE_DEVICE = { leftOut: 'that of the device in which the entry stands' } as const;

export const TABLES: readonly Table[] = [
  {
    section: '§2.1',
    resource: 'group',
    under: '',
    documented: {
      id: ['integer', 'group.id'],
      name: ['text', 'group.name'],
      organization_id: ['integer', ORGANIZATION],
      parent_server_group_id: ['integer', 'group.parentId'],
      refresh_interval: ['integer', 'group.refreshIntervalMinutes'],
      ui_color: ['text', 'group.color'],
      notes: ['text', 'group.notes'],
      enable_os_auto_update: ['truth', 'group.osAutoUpdate'],
      enable_wsus: ['truth', 'group.wsus.managed'],
      wsus_server: ['text', 'group.wsus.server'],
      wsus_config: ['wsus', 'group.wsus'],
      policies: ['ids', 'group.policyIds'],
    },
    newer: { server_count: ['integer', 'group.deviceCount'] },
  },
  {
    section: '§2.2',
    resource: 'device',
    under: '',
    documented: {
      id: ['integer', 'device.id'],
      os_version_id: ['integer', 'device.osVersionId'],
      server_group_id: ['integer', 'device.groupId'],
      organization_id: ['integer', ORGANIZATION],
      uuid: ['text', 'device.uuid'],
      name: ['text', 'device.name'],
      instance_id: ['text', 'device.instanceId'],
      refresh_interval: ['integer', 'device.refreshIntervalMinutes'],
      last_update_time: ['time', 'device.lastUpdateTime'],
      last_refresh_time: ['time', 'device.lastRefreshTime'],
      uptime: ['digits', 'device.uptime'],
      needs_reboot: ['truth', 'device.needsReboot'],
      timezone: ['text', 'device.timezone'],
      tags: ['texts', 'device.tags'],
      deleted: ['untruth', { checked: 'that it is not marked as deleted' }],
      create_time: ['time', 'device.createTime'],
      os_version: ['text', 'device.osVersion'],
      os_name: ['text', 'device.osName'],
      os_family: ['text', 'device.osFamily'],
      ip_addrs: ['texts', 'device.addresses'],
      ip_addrs_private: ['texts', 'device.privateAddresses'],
      patches: ['integer', 'device.patches'],
      detail: ['object', 'device.detail'],
      agent_version: ['text', 'device.agentVersion'],
      custom_name: ['text', 'device.customName'],
      exception: ['truth', 'device.exception'],
      total_count: ['integer', { leftOut: 'read as the total of the page' }],
      server_policies: ['objects', 'device.policies'],
      policy_status: ['objects', 'device.policyStatuses'],
      last_scan_failed: ['truth', 'device.lastScanFailed'],
      pending: ['truth', 'device.pending'],
      compliant: ['truth', 'device.compliant'],
      display_name: ['text', { leftOut: 'made of custom_name and name, so that one rule names devices' }],
      commands: ['unknown', { leftOut: 'empty in every sample; the queue has its own endpoint' }],
      pending_patches: ['integer', 'device.pendingPatches'],
      connected: ['truth', 'device.connected'],
      last_process_time: ['time', 'device.lastProcessTime'],
      next_patch_time: ['time', 'device.nextPatchTime'],
      notification_count: ['integer', 'device.deferrals.notifications'],
      reboot_notification_count: ['integer', 'device.deferrals.rebootNotifications'],
      patch_deferral_count: ['integer', 'device.deferrals.patchDeferrals'],
      reboot_deferral_count: ['integer', 'device.deferrals.rebootDeferrals'],
      is_delayed_by_notification: ['truth', 'device.deferrals.delayedByNotification'],
      reboot_is_delayed_by_notification: ['truth', 'device.deferrals.rebootDelayedByNotification'],
      is_delayed_by_user: ['truth', 'device.deferrals.delayedByUser'],
      reboot_is_delayed_by_user: ['truth', 'device.deferrals.rebootDelayedByUser'],
      last_disconnect_time: ['time', 'device.lastDisconnectTime'],
      needs_attention: ['truth', 'device.needsAttention'],
      serial_number: ['text', 'device.serialNumber'],
      last_logged_in_user: ['text', 'device.lastLoggedInUser'],
      status: ['object', 'device.deviceStatus'],
    },
    newer: {
      is_compatible: ['truth', 'device.compatible'],
      organizational_unit: ['text', 'device.organizationalUnit'],
      notes: ['text', 'device.notes'],
      compatibility_checks: ['unknown', { leftOut: 'is_compatible says what they amount to' }],
      mdm: ['unknown', { leftOut: 'no shape is known' }],
    },
  },
  {
    section: '§2.3',
    resource: 'device',
    under: 'detail.',
    documented: {
      NICS: ['objects', 'device.detail.networkCards'],
      'NICS[].TYPE': ['text', 'device.detail.networkCards[].type'],
      'NICS[].MAC': ['text', 'device.detail.networkCards[].mac'],
      'NICS[].IPS': ['texts', 'device.detail.networkCards[].addresses'],
      'NICS[].CONNECTED': ['truth', 'device.detail.networkCards[].connected'],
      'NICS[].VENDOR': ['text', 'device.detail.networkCards[].vendor'],
      'NICS[].DEVICE': ['text', 'device.detail.networkCards[].device'],
      IPS: ['texts', 'device.detail.addresses'],
      LAST_USER_LOGON: ['object', 'device.detail.lastLogon'],
      'LAST_USER_LOGON.SRC': ['text', 'device.detail.lastLogon.source'],
      'LAST_USER_LOGON.USER': ['text', 'device.detail.lastLogon.user'],
      'LAST_USER_LOGON.TIME': ['time', 'device.detail.lastLogon.time'],
      VERSION: ['text', 'device.detail.version'],
      VOLUME: ['objects', 'device.detail.volumes'],
      'VOLUME[].IS_SYSTEM_DISK': ['truthText', 'device.detail.volumes[].systemDisk'],
      'VOLUME[].VOLUME': ['text', 'device.detail.volumes[].name'],
      'VOLUME[].FSTYPE': ['text', 'device.detail.volumes[].fileSystem'],
      'VOLUME[].LABEL': ['text', 'device.detail.volumes[].label'],
      'VOLUME[].AVAIL': ['digits', 'device.detail.volumes[].sizeBytes'],
      'VOLUME[].FREE': ['digits', 'device.detail.volumes[].freeBytes'],
      WSUS_CONFIG: ['object', 'device.detail.wsus'],
      RAM: ['digits', 'device.detail.ramBytes'],
      AUTO_UPDATE_OPTIONS: ['object', 'device.detail.autoUpdate'],
      'AUTO_UPDATE_OPTIONS.ENABLED': ['truthText', 'device.detail.autoUpdate.enabled'],
      'AUTO_UPDATE_OPTIONS.OPTIONS': ['commas', 'device.detail.autoUpdate.options'],
      DISKS: ['objects', 'device.detail.disks'],
      'DISKS[].TYPE': ['text', 'device.detail.disks[].type'],
      'DISKS[].SIZE': ['digits', 'device.detail.disks[].sizeBytes'],
      SERIAL: ['text', 'device.detail.serial'],
      MODEL: ['text', 'device.detail.model'],
      VENDOR: ['text', 'device.detail.vendor'],
      CPU: ['text', 'device.detail.cpu'],
      SERVICETAG: ['text', 'device.detail.serviceTag'],
      WMI_INTEGRITY_CHECK: ['text', 'device.detail.wmiIntegrity'],
      PS_VERSION: ['text', 'device.detail.shellVersion'],
      UPDATE_SOURCE_CHECK: ['object', 'device.detail.updateSource'],
      'UPDATE_SOURCE_CHECK.ERROR': ['text', 'device.detail.updateSource.error'],
      'UPDATE_SOURCE_CHECK.CONNECTED': ['truthText', 'device.detail.updateSource.connected'],
      FQDNS: ['texts', 'device.detail.domainNames'],
    },
    newer: {
      'WSUS_CONFIG.WSUS_MANAGED': ['truthText', 'device.detail.wsus.managed'],
      'WSUS_CONFIG.WSUS_SERVER': ['text', 'device.detail.wsus.server'],
      'WSUS_CONFIG.WSUS_REACHABLE': ['truthText', 'device.detail.wsus.reachable'],
      DISTINGUISHED_NAME: ['text', 'device.detail.distinguishedName'],
      SECURE_TOKEN_ACCOUNT: [
        'text',
        { leftOut: 'names an account with rights on the device; no reader needs it' },
      ],
      MDM_SERVER: ['text', { leftOut: 'no answer is about who manages Macs' }],
      MDM_PROFILE_INSTALLED: ['text', { leftOut: 'no answer is about who manages Macs' }],
    },
  },
  {
    section: '§2.4',
    resource: 'device',
    under: 'policy_status[].',
    documented: {
      id: ['integer', { leftOut: 'the number of the entry; nothing else names it' }],
      organization_id: ['integer', OF_THE_DEVICE],
      policy_id: ['integer', 'device.policyStatuses[].policyId'],
      server_id: ['integer', OF_THE_DEVICE],
      policy_name: ['text', 'device.policyStatuses[].policyName'],
      policy_type_name: ['text', 'device.policyStatuses[].policyType'],
      status: ['integer', 'device.policyStatuses[].status'],
      result: ['text', 'device.policyStatuses[].result'],
      create_time: ['time', 'device.policyStatuses[].createTime'],
      next_remediation: ['time', 'device.policyStatuses[].nextRemediation'],
    },
    newer: {
      will_reboot: ['truth', 'device.policyStatuses[].willReboot'],
      pending_count: ['integer', 'device.policyStatuses[].pendingCount'],
    },
  },
  {
    section: '§2.5',
    resource: 'device',
    under: 'status.',
    documented: {
      device_status: ['text', 'device.deviceStatus'],
      agent_status: ['text', 'device.agentStatus'],
      policy_status: ['text', 'device.policyStatus'],
      policy_statuses: ['objects', 'device.policyCompliance'],
      'policy_statuses[].id': ['integer', 'device.policyCompliance[].policyId'],
      'policy_statuses[].compliant': ['truth', 'device.policyCompliance[].compliant'],
    },
  },
  {
    section: '§2.6',
    resource: 'package',
    under: '',
    documented: {
      id: ['integer', 'package.id'],
      server_id: ['integer', DEVICE],
      package_id: ['integer', { leftOut: 'a number that no operation takes' }],
      software_id: ['integer', { leftOut: 'a number that no operation takes' }],
      installed: ['truth', 'package.installed'],
      ignored: ['truth', 'package.ignoredBy'],
      group_ignored: ['truth', 'package.ignoredBy'],
      deferred_until: ['time', 'package.deferredUntil'],
      group_deferred_until: ['time', 'package.deferredUntil'],
      name: ['text', 'package.name'],
      display_name: ['text', 'package.displayName'],
      version: ['text', 'package.version'],
      repo: ['text', { leftOut: 'no operation depends on it' }],
      cves: ['texts', 'package.cves'],
      cve_score: ['score', 'package.cveScore'],
      agent_severity: ['text', { leftOut: 'the severity of the service is shown' }],
      severity: ['text', 'package.severity'],
      package_version_id: ['integer', { leftOut: 'a number that no operation takes' }],
      os_name: ['text', { leftOut: 'the device has it' }],
      os_version: ['text', { leftOut: 'the device has it' }],
      os_version_id: ['integer', { leftOut: 'the device has it' }],
      create_time: ['time', { leftOut: 'no operation depends on it' }],
      requires_reboot: ['truth', 'package.requiresReboot'],
      patch_classification_category_id: ['text', { leftOut: 'a number that no operation takes' }],
      patch_scope: ['text', { leftOut: 'the document shows no values (§2.6)' }],
      is_uninstallable: ['truth', { leftOut: 'the service has no operation that uninstalls' }],
      secondary_id: ['text', { leftOut: 'the document shows no values (§2.6)' }],
      is_managed: ['truth', { leftOut: 'no operation depends on it' }],
      impact: ['text', { leftOut: 'the document shows no values (§2.6)' }],
      organization_id: ['integer', ORGANIZATION],
    },
    newer: { kev_cves: ['texts', 'package.exploitedCves'], epss_score: ['score', 'package.epssScore'] },
  },
  {
    section: '§2.7',
    resource: 'queueEntry',
    under: '',
    documented: {
      id: ['integer', 'queueEntry.id'],
      server_id: ['integer', DEVICE],
      command_id: ['integer', { leftOut: 'a number that no operation takes' }],
      organization_id: ['integer', ORGANIZATION],
      reboot: ['truth', { leftOut: 'the type of the command says it' }],
      response: ['text', 'queueEntry.response'],
      response_time: ['time', 'queueEntry.responseTime'],
      policy_id: ['integer', 'queueEntry.policyId'],
      agent_command_type: ['integer', { leftOut: 'no legend is published; the type name is shown' }],
      command_type_name: ['text', 'queueEntry.type'],
      args: ['text', 'queueEntry.args'],
      exec_time: ['time', 'queueEntry.execTime'],
    },
  },
  {
    section: '§2.8',
    resource: 'event',
    under: '',
    documented: {
      id: ['integer', 'event.id'],
      name: ['text', 'event.name'],
      user_id: ['integer', 'event.userId'],
      server_id: ['integer', 'event.deviceId'],
      organization_id: ['integer', ORGANIZATION],
      policy_id: ['integer', 'event.policyId'],
      data: ['data', 'event'],
      server_name: ['text', 'event.deviceName'],
      policy_name: ['text', 'event.policyName'],
      policy_type_name: ['text', { leftOut: 'the policy has it' }],
      create_time: ['time', 'event.createTime'],
    },
  },
  {
    section: '§6',
    resource: 'event',
    under: 'data.',
    documented: {
      response: ['text', 'event.notificationResponse'],
      notification_id: ['text', { leftOut: 'no other row or operation names the notification' }],
    },
    newer: {
      scheduled_time: ['time', 'event.scheduledTime'],
      ip: ['text', 'event.address'],
      os: ['text', 'event.operatingSystem'],
      systemname: ['text', 'event.deviceName'],
      patches: ['patches', 'event.patches'],
      failure: ['text', 'event.failure'],
      text: ['text', 'event.text'],
      status: ['integer', 'event.exitCode'],
      firstname: ['text', { leftOut: 'personal data; users are named by number' }],
      lastname: ['text', { leftOut: 'personal data; users are named by number' }],
      email: ['text', { leftOut: 'personal data; users are named by number' }],
      orgname: ['text', { leftOut: 'always the configured organization' }],
      trialstart: ['time', { leftOut: 'about the subscription, not about the fleet' }],
      trialend: ['time', { leftOut: 'about the subscription, not about the fleet' }],
      last_process_time: ['time', { leftOut: 'the device has it, and newer' }],
    },
  },
  {
    section: '§4.2',
    resource: 'previewedDevice',
    under: '',
    documented: {
      id: ['integer', 'previewedDevice.id'],
      uuid: ['text', { leftOut: 'the ID names the device' }],
      name: ['text', 'previewedDevice.name'],
      custom_name: ['text', 'previewedDevice.customName'],
      server_group: ['object', 'previewedDevice.groupId'],
      os_version: ['text', 'previewedDevice.osVersion'],
      os_family: ['text', 'previewedDevice.osFamily'],
      ip_addr: ['text', 'previewedDevice.addresses'],
      ip_addrs_prviate: ['texts', 'previewedDevice.privateAddresses'],
      tags: ['texts', 'previewedDevice.tags'],
    },
    newer: {
      ip_addrs: ['texts', 'previewedDevice.addresses'],
      ip_addrs_private: ['texts', 'previewedDevice.privateAddresses'],
      'server_group.name': ['text', 'previewedDevice.groupName'],
    },
  },
];

export const fieldsOf = ({ documented, newer = {} }: Table) => Object.entries({ ...documented, ...newer });

const mappingsOf = (section: Section): FieldMappings =>
  Object.fromEntries(
    TABLES.filter((table) => table.section === section)
      .flatMap(fieldsOf)
      .map(([field, [, place]]) => [field, place]),
  );

/** By the section of the interface document that lists the fields. */
export const FIELD_COVERAGE = {
  '§2.1': mappingsOf('§2.1'),
  '§2.2': mappingsOf('§2.2'),
  '§2.3': mappingsOf('§2.3'),
  '§2.4': mappingsOf('§2.4'),
  '§2.5': mappingsOf('§2.5'),
  '§2.6': mappingsOf('§2.6'),
  '§2.7': mappingsOf('§2.7'),
  '§2.8': mappingsOf('§2.8'),
  '§4.2': mappingsOf('§4.2'),
  '§6': mappingsOf('§6'),
} as const;
