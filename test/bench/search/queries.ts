/** What people type into the device search: kinds of queries, with some of each. */

/** One after the other, as a person types a name. */
const TYPED = ['b', 'be', 'ber', 'ber-', 'ber-w', 'ber-we', 'ber-web-0', 'm', 'ma', 'mac', 'macb', 'macbo'];
const PREFIXES = ['j', 'ja', 'jan', 'jane', '1', '10', '20', '203', 'l', 'la', 'lap', 'laptop', 'e', 'a'];
const SUBSTRINGS = ['web', 'ook', 'mith', 'kiosk', '-0123', 'pad', 'ackup'];
const TYPOS = ['kisok', 'bakcup', 'lapotp', 'surfaec', 'garcai', 'tannaka', 'okafro', 'thinkpd', 'ber-buidl'];
const SEPARATORS = [
  'berweb0123',
  'ber_web',
  'berbuild',
  'lon.kiosk01',
  'br-web',
  'we-b12',
  'smth 12',
  'muckisok',
  'maccbook',
];
const SEVERAL = ['jane macbook', 'smith lon', 'ber web', 'web ber 01', 'meyer thinkpad par', 'kisok muc'];
const SERIALS = ['c02', 'xk7', 'q9z', '7f3', 'default'];
const USERS = ['jane.smith', 'corp\\ahmed', 'ahmed.kim', 'novak', 'wei.tanaka'];
const ADDRESSES = ['10.1.2.3', '10.1.', '203.0.113.10', '203.0', '10.39', 'fe80::1', 'fe80', '.255'];
const NETWORKS = ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '10.0.0.0/12', '203.0.113.0/27', 'fe80::/10'];
const NOTHING = ['', 'zzz', 'mainframe', 'qqqqqq', '192.0.2.1', '#99', 'ber-nothing-here'];

export const QUERIES: readonly string[] = [
  ...TYPED,
  ...PREFIXES,
  ...SUBSTRINGS,
  ...TYPOS,
  ...SEPARATORS,
  ...SEVERAL,
  ...SERIALS,
  ...USERS,
  ...ADDRESSES,
  ...NETWORKS,
  ...NOTHING,
];
