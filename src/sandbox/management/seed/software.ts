/** The titles of a device: computed from its id when read, so that a large fleet needs little memory. */
import type { Family, Software, WorldDevice, WorldSeverity } from '../world/model.ts';
import { createRandom, hash } from '../world/random.ts';

const SEVERITIES: Readonly<Record<string, WorldSeverity>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  none: 'no_known_cves',
  '-': null,
};

/**
 * One title a line: `name | display name | version | repo | severity | CVE score and CVEs | reboot`.
 * `none` is `no_known_cves`, `-` stands for null; the last two columns may be missing.
 * Ids count up from `firstId`.
 */
function parseSoftwareTable(firstId: number, text: string): readonly Software[] {
  return text
    .trim()
    .split('\n')
    .map((line, index) => parseSoftwareLine(firstId + index, line));
}

function parseSoftwareLine(id: number, line: string): Software {
  const cells = line.split('|').map((cell) => cell.trim());
  const [name = '', displayName = '', version = '', repo = '', severity = '', risk = '', reboot = ''] = cells;
  const known = SEVERITIES[severity];
  if (name === '' || known === undefined) throw new Error(`Not a title: ${line}`);
  const [cveScore = '', ...cves] = risk.split(' ');
  return {
    id,
    name,
    displayName: displayName === '-' ? null : displayName,
    version,
    repo,
    severity: known,
    cves,
    cveScore: cveScore === '' ? null : cveScore,
    requiresReboot: reboot === 'reboot',
  };
}

type FamilySoftware = Readonly<Record<'updates' | 'installed', readonly Software[]>>;

const SOFTWARE_BY_FAMILY: Readonly<Record<Family, FamilySoftware>> = {
  Linux: {
    updates: parseSoftwareTable(
      1_001,
      `
openssl | OpenSSL toolkit | 3.0.2-0ubuntu1.18 | Linux | critical | 9.1 CVE-2024-5535 CVE-2024-4741
linux-image-generic | Linux kernel image | 5.15.0.125.124 | Linux | high | 7.8 CVE-2024-26808 CVE-2024-36971 | reboot
curl | curl | 7.81.0-1ubuntu1.19 | Linux | medium | 6.5 CVE-2024-8096
libc6 | GNU C library | 2.35-0ubuntu3.8 | Linux | high | 7.6 CVE-2024-2961 | reboot
nginx | nginx web server | 1.18.0-6ubuntu14.5 | Linux | medium | 5.7 CVE-2024-7347
postgresql-14 | PostgreSQL 14 | 14.13-0ubuntu0.22.04.1 | Linux | high | 8.8 CVE-2024-7348
sudo | sudo | 1.9.9-1ubuntu2.5 | Linux | low | 3.3 CVE-2023-42465
openssh-server | OpenSSH server | 1:8.9p1-3ubuntu0.10 | Linux | critical | 8.1 CVE-2024-6387
vim-common | Vim editor, common files | 2:8.2.3995-1ubuntu2.18 | Linux | medium | 5.3 CVE-2024-41957
tzdata | Time zone data | 2024a-0ubuntu0.22.04.1 | Linux | none
bind9-libs | BIND libraries | 1:9.18.28-0ubuntu0.22.04.1 | Linux | high | 7.5 CVE-2024-0760
python3.10-minimal | Python 3.10, minimal | 3.10.12-1~22.04.6 | Linux | medium | 6.8 CVE-2024-6923
apparmor | AppArmor | 3.0.4-2ubuntu2.4 | Linux | -
snapd | snapd | 2.63+22.04ubuntu0.1 | Linux | -
`,
    ),
    installed: parseSoftwareTable(
      1_201,
      `
bash | GNU Bash | 5.1-6ubuntu1.1 | Installed | none
coreutils | GNU core utilities | 8.32-4.1ubuntu1.2 | Installed | none
systemd | systemd | 249.11-0ubuntu3.12 | Installed | none
systemd-sysv | systemd, links for init | 249.11-0ubuntu3.12 | Installed | none
dpkg | Debian package manager | 1.21.1ubuntu2.3 | Installed | none
apt | APT | 2.4.13 | Installed | none
git | Git | 1:2.34.1-1ubuntu1.11 | Installed | none
rsync | rsync | 3.2.7-0ubuntu0.22.04.2 | Installed | none
tar | GNU tar | 1.34+dfsg-1ubuntu0.1.22.04.2 | Installed | low | 3.3 CVE-2023-39804
gzip | gzip | 1.10-4ubuntu4.1 | Installed | none
less | less | 590-1ubuntu0.22.04.3 | Installed | none
htop | htop | 3.0.5-7build2 | Installed | -
tmux | tmux | 3.2a-4ubuntu0.2 | Installed | -
jq | jq | 1.6-2.1ubuntu3 | Installed | -
chrony | chrony | 4.2-2ubuntu2 | Installed | none
rsyslog | rsyslog | 8.2112.0-2ubuntu2.2 | Installed | none
logrotate | logrotate | 3.19.0-1ubuntu1.1 | Installed | none
ca-certificates | CA certificates | 20240203~22.04.1 | Installed | none
gnupg | GnuPG | 2.2.27-3ubuntu2.1 | Installed | none
iptables | iptables | 1.8.7-1ubuntu5.2 | Installed | none
ufw | Uncomplicated firewall | 0.36.1-4ubuntu0.1 | Installed | none
nodejs | Node.js | 20.17.0-1nodesource1 | Installed | none
docker-ce | Docker Engine | 5:27.2.0-1~ubuntu.22.04~jammy | Installed | -
containerd.io | containerd | 1.7.21-1 | Installed | -
prometheus-node-exporter | Prometheus node exporter | 1.3.1-1ubuntu0.22.04.3 | Installed | -
unattended-upgrades | Unattended upgrades | 2.8ubuntu1 | Installed | none
example-cli | - | 8.0.1 | vendor | none
acme-backup | *Acme* <b>Backup</b> & "Restore" @here | 2.0.0 | vendor | -
`,
    ),
  },
  Mac: {
    updates: parseSoftwareTable(
      3_001,
      `
macOS-Sonoma-14.7 | macOS Sonoma 14.7 | 14.7 | Apple-System | critical | 8.8 CVE-2024-44148 CVE-2024-40860 | reboot
Safari18.0 | Safari | 18.0 | Apple-System | high | 8.1 CVE-2024-44187
com.google.chrome | Google Chrome | 129.0.6668.59 | ReportingOnly | high | 8.8 CVE-2024-8904
org.mozilla.firefox | Firefox | 130.0.1 | ReportingOnly | high | 8.1 CVE-2024-8900
us.zoom.xos | Zoom Workplace | 6.2.0 | ReportingOnly | medium | 6.5 CVE-2024-42440
com.microsoft.word | Microsoft Word | 16.89 | ReportingOnly | medium | 5.5 CVE-2024-43465
com.microsoft.teams2 | Microsoft Teams | 24231.512.3106.6573 | ReportingOnly | low | 3.2 CVE-2024-38197
com.apple.pkg.CLTools | Command Line Tools for Xcode | 16.0 | Apple-System | none
openssl@3 | openssl@3 | 3.3.2 | homebrew | critical | 7.5 CVE-2024-6119
wget | wget | 1.24.5 | homebrew | -
node@20 | node@20 | 20.17.0 | homebrew | medium | 6.1 CVE-2024-27980
com.adobe.Reader | Adobe Acrobat Reader | 24.003.20112 | ReportingOnly | critical | 8.6 CVE-2024-41869
`,
    ),
    installed: parseSoftwareTable(
      3_201,
      `
com.apple.calculator | Calculator | 10.16 | Apple-System | none
com.apple.mail | Mail | 16.0 | Apple-System | none
com.apple.Preview | Preview | 11.0 | Apple-System | none
com.apple.Terminal | Terminal | 2.14 | Apple-System | none
com.apple.iCal | Calendar | 14.0 | Apple-System | none
com.apple.Notes | Notes | 4.11 | Apple-System | none
com.apple.Photos | Photos | 9.0 | Apple-System | none
com.apple.FaceTime | FaceTime | 36 | Apple-System | none
com.apple.TextEdit | TextEdit | 1.19 | Apple-System | none
com.apple.dt.Xcode | Xcode | 15.4 | Apple-System | -
com.microsoft.excel | Microsoft Excel | 16.88 | ReportingOnly | none
com.microsoft.Outlook | Microsoft Outlook | 16.88 | ReportingOnly | none
com.microsoft.VSCode | Visual Studio Code | 1.93.1 | ReportingOnly | none
com.tinyspeck.slackmacgap | Slack | 4.40.126 | ReportingOnly | none
com.figma.Desktop | Figma | 124.3.2 | ReportingOnly | -
com.1password.1password | 1Password | 8.10.44 | ReportingOnly | none
com.docker.docker | Docker Desktop | 4.34.2 | ReportingOnly | low | 3.0 CVE-2024-8695
com.jetbrains.intellij | IntelliJ IDEA | 2024.2.1 | ReportingOnly | none
com.sketch | Sketch | 100.3 | Installed | -
git | git | 2.46.1 | homebrew | none
jq | jq | 1.7.1 | homebrew | -
ripgrep | ripgrep | 14.1.1 | homebrew | none
python@3.12 | python@3.12 | 3.12.6 | homebrew | none
ffmpeg | ffmpeg | 7.0.2 | homebrew | medium | 5.3 CVE-2024-7055
`,
    ),
  },
  // KB numbers, GUIDs and product keys as names.
  Windows: {
    updates: parseSoftwareTable(
      2_001,
      `
KB5043064 | 2024-09 Cumulative Update for Windows (KB5043064) | 19045.4894 | WindowsUpdate | critical | 9.8 CVE-2024-43491 CVE-2024-38119 | reboot
KB5042881 | 2024-09 Cumulative Update for Server (KB5042881) | 20348.2700 | WindowsUpdate | high | 8.8 CVE-2024-38014 | reboot
KB4052623 | Update for Microsoft Defender Antivirus platform | 4.18.24080.9 | Microsoft | none
KB5042349 | 2024-09 Cumulative Update for .NET Framework | 4.8.1 | WindowsUpdate | medium | 6.5 CVE-2024-38081 | reboot
KB890830 | Windows Malicious Software Removal Tool | 5.128 | Microsoft | -
0f1e2d3c-4b5a-4697-8879-6a5b4c3d2e1f | Intel Corporation - Display - 31.0.101.5590 | 31.0.101.5590 | WindowsUpdate | -
{7C1B4F0E-52A8-4D7C-9B9D-0C4F4E1D8A21} | Visual C++ 2015-2022 Redistributable (x64) | 14.40.33810 | ReportingOnly | medium | 5.5 CVE-2024-43590
GoogleChrome | Google Chrome | 129.0.6668.71 | ReportingOnly | high | 8.8 CVE-2024-8904 CVE-2024-8905
MozillaFirefox | Mozilla Firefox | 130.0.1 | ReportingOnly | high | 8.1 CVE-2024-8900
NotepadPlusPlus_64 | Notepad++ (64-bit) | 8.6.9 | ReportingOnly | low | 3.9 CVE-2023-6401
7-Zip_64 | 7-Zip (64-bit) | 24.08 | ReportingOnly | high | 7.8 CVE-2024-11477
AdobeAcrobatReaderDC | Adobe Acrobat Reader DC | 24.003.20112 | ReportingOnly | critical | 8.6 CVE-2024-41869
Zoom | Zoom Workplace | 6.2.0.46690 | ReportingOnly | medium | 6.5 CVE-2024-42440
KB5041585 | Servicing stack update | 22621.4036 | WindowsUpdate | none
`,
    ),
    installed: parseSoftwareTable(
      2_201,
      `
KB5039895 | 2024-06 Cumulative Update for .NET Framework | 4.8.1 | WindowsUpdate | none
KB5037591 | 2024-05 Cumulative Update for Windows | 19045.4412 | WindowsUpdate | none
KB5034763 | 2024-02 Cumulative Update for Windows | 19045.4046 | WindowsUpdate | none
KB5031356 | 2023-10 Cumulative Update for Windows | 19045.3570 | WindowsUpdate | none
KB5015684 | Feature update by enablement package | 19045.1 | WindowsUpdate | none
MicrosoftEdge | Microsoft Edge | 128.0.2739.79 | Microsoft | none
MicrosoftEdgeWebView2 | Microsoft Edge WebView2 Runtime | 128.0.2739.79 | Microsoft | none
Office365ProPlus | Microsoft 365 Apps for enterprise | 16.0.17928.20156 | Microsoft | -
MicrosoftTeams | Microsoft Teams | 24215.1007.3082.1590 | Microsoft | -
OneDriveSetup | Microsoft OneDrive | 24.161.0811.0001 | Microsoft | none
PowerShell-7 | PowerShell 7 (x64) | 7.4.5 | Microsoft | none
VisualStudioCode | Visual Studio Code | 1.93.1 | ReportingOnly | none
Git_64 | Git for Windows | 2.46.0 | ReportingOnly | none
PuTTY | PuTTY release | 0.81 | ReportingOnly | none
WinSCP | WinSCP | 6.3.5 | ReportingOnly | none
KeePass2 | KeePass Password Safe | 2.57 | ReportingOnly | none
VLC | VLC media player | 3.0.21 | ReportingOnly | none
Slack | Slack | 4.40.126 | ReportingOnly | none
TeamViewer | TeamViewer | 15.57.5 | ReportingOnly | low | 3.1 CVE-2024-7479
FortiClient | FortiClient VPN | 7.2.4.0972 | Installed | medium | 5.0 CVE-2024-31489
{1B2E6F0D-8E1C-4C43-A6C7-3B1F3F2F9A10} | Visual C++ 2013 Redistributable (x64) | 12.0.40664 | Installed | none
{90160000-008C-0000-1000-0000000FF1CE} | Office 16 Click-to-Run Extensibility Component | 16.0.17928 | Installed | none
5d3f0c1e-9a77-4d0b-8a0e-2f6c1b9e7a55 | Realtek - Net - 10.68.815.2023 | 10.68.815.2023 | Installed | -
DellCommandUpdate | Dell Command Update | 5.4.0 | Installed | -
IntelGraphics | Intel Graphics Software | 31.0.101.4953 | Installed | -
MicrosoftSQLServerODBC18 | ODBC Driver 18 for SQL Server | 18.3.3.1 | Installed | none
`,
    ),
  },
};

/** Patches that devices of this family may lack. */
export function updatesFor(family: Family): readonly Software[] {
  return SOFTWARE_BY_FAMILY[family].updates;
}

/** Software that the device had at the seed. */
export function installedAtSeed(
  device: Pick<WorldDevice, 'id' | 'platform' | 'extraTitles'>,
): readonly Software[] {
  const random = createRandom(`titles of ${device.id}`);
  const { installed } = SOFTWARE_BY_FAMILY[device.platform.family];
  const usual = random.sample(installed, random.int(14, installed.length));
  return [...usual, ...Array.from({ length: device.extraTitles }, (_, index) => extraTitle(index))];
}

/** The title called `name`: the family's, or a new one. */
export function softwareNamed(family: Family, name: string): Software {
  const { updates, installed } = SOFTWARE_BY_FAMILY[family];
  const known = [...updates, ...installed].find((software) => software.name === name);
  return known ?? unknownTitle(name);
}

function unknownTitle(name: string): Software {
  return {
    // Above all other ids.
    id: 100_000 + (hash(name) % 900_000),
    name,
    displayName: name,
    version: '1.0.0',
    repo: 'vendor',
    severity: 'high',
    cves: [],
    cveScore: null,
    requiresReboot: false,
  };
}

function extraTitle(index: number): Software {
  const name = `libpart-${String(index + 1).padStart(4, '0')}`;
  return {
    ...unknownTitle(name),
    id: 10_000 + index,
    version: `1.${index}`,
    repo: 'Installed',
    severity: null,
  };
}
