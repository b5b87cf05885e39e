/** Software and patches of Macs. */
import { parseSoftwareTable } from './software-table.ts';

export const MAC_UPDATES = parseSoftwareTable(
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
);

export const MAC_INSTALLED = parseSoftwareTable(
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
);
