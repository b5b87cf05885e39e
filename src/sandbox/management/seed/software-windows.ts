/** Software and patches of Windows devices: KB numbers, GUIDs and product keys as names. */
import { parseSoftwareTable } from './software-table.ts';

export const WINDOWS_UPDATES = parseSoftwareTable(
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
);

export const WINDOWS_INSTALLED = parseSoftwareTable(
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
);
