/** A device's `detail` (§2.3): hardware, worked out from its id when asked for. */
import type { Device } from '../world/model.ts';
import { createRandom, type Random } from '../world/random.ts';
import { deviceTime } from './time.ts';

const GIB = 1_024 ** 3;

export function detailJson(device: Device): object {
  const random = createRandom(`hardware of ${device.id}`);
  const windows = device.platform.family === 'Windows';
  return {
    NICS: [networkCard(device, random)],
    IPS: device.privateAddresses,
    LAST_USER_LOGON: lastLogon(device),
    VERSION: device.platform.model,
    VOLUME: [volume(random, windows)],
    WSUS_CONFIG: windows ? { WSUS_MANAGED: '0', WSUS_SERVER: '', WSUS_REACHABLE: '1' } : null,
    RAM: String(random.pick([8, 16, 32, 64]) * GIB),
    AUTO_UPDATE_OPTIONS: { ENABLED: windows ? '1' : '0', OPTIONS: 'off' },
    DISKS: [{ TYPE: 'Samsung SSD 980 PRO', SIZE: String(random.pick([256, 512, 1_024]) * GIB) }],
    SERIAL: device.serial,
    MODEL: device.platform.model,
    VENDOR: device.platform.vendor,
    CPU: device.platform.cpu,
    SERVICETAG: windows ? device.serial : null,
    WMI_INTEGRITY_CHECK: windows ? 'True' : null,
    PS_VERSION: device.platform.shell,
    UPDATE_SOURCE_CHECK: { CONNECTED: 'True', ERROR: 'Succeeded' },
    // An object instead of an empty list: seen live.
    FQDNS: device.platform.family === 'Linux' ? [`${device.name}.example.com`] : {},
  };
}

function networkCard(device: Device, random: Random): object {
  const octets = Array.from({ length: 5 }, () => random.int(0, 255).toString(16).padStart(2, '0'));
  return {
    TYPE: 'Ethernet',
    MAC: ['02', ...octets].join(':'),
    IPS: device.privateAddresses,
    CONNECTED: device.link.kind === 'online',
    VENDOR: 'Intel Corporation',
    DEVICE: 'eth0',
  };
}

function lastLogon(device: Device): object {
  if (device.lastUser === '') return {};
  return { SRC: 'console', USER: device.lastUser, TIME: deviceTime(device.lastRefresh ?? device.createTime) };
}

function volume(random: Random, windows: boolean): object {
  const size = random.pick([256, 512, 1_024]) * GIB;
  return {
    IS_SYSTEM_DISK: 'True',
    VOLUME: windows ? 'C:' : '/',
    FSTYPE: windows ? 'NTFS' : 'ext4',
    LABEL: windows ? 'OS' : '',
    AVAIL: String(size),
    FREE: String(Math.floor(size * random.next())),
  };
}
