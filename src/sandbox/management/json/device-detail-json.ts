/** A device's `detail` (§2.3): its hardware, computed from its id when read. */
import type { Profile } from '../profiles.ts';
import type { Family, WorldDevice } from '../world/model.ts';
import { createRandom, type SeededRandom } from '../world/random.ts';
import { organizationalUnit } from '../world/state/device-facts.ts';
import { agentTime, deviceTime } from './time-formats.ts';

const GIB = 1_024 ** 3;

export function detailJson(device: WorldDevice, profile: Profile): object {
  const { platform } = device;
  const random = createRandom(`hardware of ${device.id}`);
  const windows = platform.family === 'Windows';
  return {
    NICS: networkCards(device, random),
    IPS: device.privateAddresses,
    LAST_USER_LOGON: lastLogon(device, profile),
    VERSION: platform.model,
    VOLUME: volumes(random, platform.family),
    WSUS_CONFIG: windows ? { WSUS_MANAGED: '0', WSUS_SERVER: '', WSUS_REACHABLE: '1' } : null,
    RAM: String(random.pick([8, 16, 32, 64]) * GIB),
    AUTO_UPDATE_OPTIONS: { ENABLED: windows ? '1' : '0', OPTIONS: windows ? 'download,notify' : 'off' },
    DISKS: [{ TYPE: 'Samsung SSD 980 PRO', SIZE: String(random.pick([256, 512, 1_024]) * GIB) }],
    SERIAL: device.serial,
    MODEL: platform.model,
    VENDOR: platform.vendor,
    CPU: platform.cpu,
    SERVICETAG: windows ? device.serial : null,
    WMI_INTEGRITY_CHECK: windows ? 'True' : null,
    PS_VERSION: platform.shell,
    // Both spellings as published, of Windows and of a Mac.
    UPDATE_SOURCE_CHECK: {
      CONNECTED: word(platform.family, true),
      ERROR: windows ? 'Succeeded' : 'Succeded',
    },
    // The empty object of the recording of 2022 is what was left of personal data: newer samples have lists.
    FQDNS: platform.family === 'Mac' ? [] : [`${device.name}.example.com`],
    // Present in every recorded row.
    ...(profile.newerFields
      ? { DISTINGUISHED_NAME: distinguishedName(device), SECURE_TOKEN_ACCOUNT: null, ...mdm(platform.family) }
      : {}),
  };
}

/** The agents write it each in their way (rapid7/insightconnect-plugins, automox, help.md: a Mac, and Linux). */
function word(family: Family, holds: boolean): string {
  return family === 'Windows' ? (holds ? 'True' : 'False') : String(holds);
}

/** Of the device management that Macs are enrolled in; other systems have none. */
function mdm(family: Family): object {
  return family === 'Mac'
    ? { MDM_SERVER: 'https://mdm.example.com/checkin', MDM_PROFILE_INSTALLED: word(family, true) }
    : { MDM_SERVER: null, MDM_PROFILE_INSTALLED: null };
}

function distinguishedName(device: WorldDevice): string {
  const unit = organizationalUnit(device);
  return unit === '' ? '' : `CN=${device.name},${unit}`;
}

const NETWORK_CARDS: Readonly<Record<Family, readonly string[]>> = {
  Windows: ['Ethernet', 'Wi-Fi'],
  Mac: ['en0', 'en1'],
  Linux: ['eth0'],
};

/** The first card is the one in use. */
function networkCards(device: WorldDevice, random: SeededRandom): readonly object[] {
  return NETWORK_CARDS[device.platform.family].map((name, index) => ({
    // Of every card that was published, wireless ones too.
    TYPE: 'enet',
    MAC: `02:${Array.from({ length: 5 }, () => octet(random)).join(':')}`,
    IPS: index === 0 ? device.privateAddresses : [],
    CONNECTED: index === 0 && device.link.kind === 'online',
    VENDOR: 'Intel Corporation',
    DEVICE: name,
  }));
}

function octet(random: SeededRandom): string {
  return random.int(0, 255).toString(16).padStart(2, '0');
}

/** Blank or empty where nobody ever logged in. */
function lastLogon(device: WorldDevice, { logonTime, emptyLogon }: Profile): object {
  if (device.lastUser === '' && emptyLogon) return {};
  const at = device.lastLogon ?? device.lastRefresh ?? device.createTime;
  const time = logonTime === 'offset' ? deviceTime(at) : agentTime(at, device);
  return { SRC: device.lastUser === '' ? '' : 'console', USER: device.lastUser, TIME: time };
}

type Layout = readonly (readonly [volume: string, type: string, label: string])[];

const VOLUMES: Readonly<Record<Family, Layout>> = {
  Windows: [
    ['C:', 'NTFS', 'OS'],
    ['D:', 'NTFS', 'Data'],
  ],
  Mac: [['/', 'apfs', 'Macintosh HD']],
  Linux: [
    ['/', 'ext4', ''],
    ['/boot', 'ext4', ''],
  ],
};

/** The first volume has the operating system. */
function volumes(random: SeededRandom, family: Family): readonly object[] {
  return VOLUMES[family].map(([volume, type, label], index) => {
    const size = random.pick([256, 512, 1_024]) * GIB;
    return {
      IS_SYSTEM_DISK: word(family, index === 0),
      VOLUME: volume,
      FSTYPE: type,
      LABEL: label,
      AVAIL: String(size),
      FREE: String(Math.floor(size * random.next())),
    };
  });
}
