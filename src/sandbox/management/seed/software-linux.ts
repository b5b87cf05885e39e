/** Software and patches of Linux devices. */
import { parseSoftwareTable } from './software-table.ts';

export const LINUX_UPDATES = parseSoftwareTable(
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
);

export const LINUX_INSTALLED = parseSoftwareTable(
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
);
