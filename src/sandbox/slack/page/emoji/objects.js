/** Activities and objects: Slack's names and their characters, pairs separated by two spaces. */
export const OBJECT_EMOJI = `
  jack_o_lantern 🎃  christmas_tree 🎄  fireworks 🎆  sparkler 🎇  firecracker 🧨  sparkles ✨️  balloon 🎈  tada 🎉
  confetti_ball 🎊  tanabata_tree 🎋  bamboo 🎍  dolls 🎎  flags 🎏  wind_chime 🎐  rice_scene 🎑  red_envelope 🧧
  ribbon 🎀  gift 🎁  reminder_ribbon 🎗️  admission_tickets 🎟️  ticket 🎫  medal 🎖️  trophy 🏆️  sports_medal 🏅
  first_place_medal 🥇  second_place_medal 🥈  third_place_medal 🥉  soccer ⚽️  baseball ⚾️  softball 🥎  basketball 🏀
  volleyball 🏐  football 🏈  rugby_football 🏉  tennis 🎾  flying_disc 🥏  bowling 🎳  cricket_bat_and_ball 🏏
  field_hockey_stick_and_ball 🏑  ice_hockey_stick_and_puck 🏒  lacrosse 🥍  table_tennis_paddle_and_ball 🏓
  badminton_racquet_and_shuttlecock 🏸  boxing_glove 🥊  martial_arts_uniform 🥋  goal_net 🥅  golf ⛳️  ice_skate ⛸️
  fishing_pole_and_fish 🎣  diving_mask 🤿  running_shirt_with_sash 🎽  ski 🎿  sled 🛷  curling_stone 🥌  dart 🎯
  yo-yo 🪀  kite 🪁  gun 🔫  8ball 🎱  crystal_ball 🔮  magic_wand 🪄  video_game 🎮️  joystick 🕹️  slot_machine 🎰
  game_die 🎲  jigsaw 🧩  teddy_bear 🧸  pinata 🪅  mirror_ball 🪩  nesting_dolls 🪆  spades ♠️  hearts ♥️  diamonds ♦️
  clubs ♣️  chess_pawn ♟️  black_joker 🃏  mahjong 🀄️  flower_playing_cards 🎴  performing_arts 🎭️
  frame_with_picture 🖼️  art 🎨  thread 🧵  sewing_needle 🪡  yarn 🧶  knot 🪢  eyeglasses 👓️  dark_sunglasses 🕶️
  goggles 🥽  lab_coat 🥼  safety_vest 🦺  necktie 👔  shirt 👕  tshirt 👕  jeans 👖  scarf 🧣  gloves 🧤  coat 🧥
  socks 🧦  dress 👗  kimono 👘  sari 🥻  one-piece_swimsuit 🩱  briefs 🩲  shorts 🩳  bikini 👙  womans_clothes 👚
  folding_hand_fan 🪭  purse 👛  handbag 👜  pouch 👝  shopping_bags 🛍️  school_satchel 🎒  thong_sandal 🩴
  mans_shoe 👞  shoe 👞  athletic_shoe 👟  hiking_boot 🥾  womans_flat_shoe 🥿  high_heel 👠  sandal 👡  ballet_shoes 🩰
  boot 👢  hair_pick 🪮  crown 👑  womans_hat 👒  tophat 🎩  mortar_board 🎓️  billed_cap 🧢  military_helmet 🪖
  helmet_with_white_cross ⛑️  prayer_beads 📿  lipstick 💄  ring 💍  gem 💎  mute 🔇  speaker 🔈️  sound 🔉
  loud_sound 🔊  loudspeaker 📢  mega 📣  postal_horn 📯  bell 🔔  no_bell 🔕  musical_score 🎼  musical_note 🎵
  notes 🎶  studio_microphone 🎙️  level_slider 🎚️  control_knobs 🎛️  microphone 🎤  headphones 🎧️  radio 📻️
  saxophone 🎷  trumpet 🎺  accordion 🪗  guitar 🎸  musical_keyboard 🎹  violin 🎻  banjo 🪕  drum_with_drumsticks 🥁
  long_drum 🪘  maracas 🪇  flute 🪈  harp 🪉  iphone 📱  calling 📲  phone ☎️  telephone ☎️  telephone_receiver 📞
  pager 📟️  fax 📠  battery 🔋  low_battery 🪫  electric_plug 🔌  computer 💻️  desktop_computer 🖥️  printer 🖨️
  keyboard ⌨️  three_button_mouse 🖱️  trackball 🖲️  minidisc 💽  floppy_disk 💾  cd 💿️  dvd 📀  abacus 🧮
  movie_camera 🎥  film_frames 🎞️  film_projector 📽️  clapper 🎬️  tv 📺️  camera 📷️  camera_with_flash 📸
  video_camera 📹️  vhs 📼  mag 🔍️  mag_right 🔎  candle 🕯️  bulb 💡  flashlight 🔦  izakaya_lantern 🏮  lantern 🏮
  diya_lamp 🪔  notebook_with_decorative_cover 📔  closed_book 📕  book 📖  open_book 📖  green_book 📗  blue_book 📘
  orange_book 📙  books 📚️  notebook 📓  ledger 📒  page_with_curl 📃  scroll 📜  page_facing_up 📄  newspaper 📰
  rolled_up_newspaper 🗞️  bookmark_tabs 📑  bookmark 🔖  label 🏷️  coin 🪙  moneybag 💰️  yen 💴  dollar 💵  euro 💶
  pound 💷  money_with_wings 💸  credit_card 💳️  receipt 🧾  chart 💹  email ✉️  envelope ✉️  e-mail 📧
  incoming_envelope 📨  envelope_with_arrow 📩  outbox_tray 📤️  inbox_tray 📥️  package 📦️  mailbox 📫️
  mailbox_closed 📪️  mailbox_with_mail 📬️  mailbox_with_no_mail 📭️  postbox 📮  ballot_box_with_ballot 🗳️
  pencil2 ✏️  black_nib ✒️  lower_left_fountain_pen 🖋️  lower_left_ballpoint_pen 🖊️  lower_left_paintbrush 🖌️
  lower_left_crayon 🖍️  memo 📝  pencil 📝  briefcase 💼  file_folder 📁  open_file_folder 📂  card_index_dividers 🗂️
  date 📅  calendar 📆  spiral_note_pad 🗒️  spiral_calendar_pad 🗓️  card_index 📇  chart_with_upwards_trend 📈
  chart_with_downwards_trend 📉  bar_chart 📊  clipboard 📋️  pushpin 📌  round_pushpin 📍  paperclip 📎
  linked_paperclips 🖇️  straight_ruler 📏  triangular_ruler 📐  scissors ✂️  card_file_box 🗃️  file_cabinet 🗄️
  wastebasket 🗑️  lock 🔒️  unlock 🔓️  lock_with_ink_pen 🔏  closed_lock_with_key 🔐  key 🔑  old_key 🗝️  hammer 🔨
  axe 🪓  pick ⛏️  hammer_and_pick ⚒️  hammer_and_wrench 🛠️  dagger_knife 🗡️  crossed_swords ⚔️  bomb 💣️
  boomerang 🪃  bow_and_arrow 🏹  shield 🛡️  carpentry_saw 🪚  wrench 🔧  screwdriver 🪛  nut_and_bolt 🔩  gear ⚙️
  compression 🗜️  scales ⚖️  probing_cane 🦯  link 🔗  broken_chain ⛓️‍💥  chains ⛓️  hook 🪝  toolbox 🧰  magnet 🧲
  ladder 🪜  shovel 🪏  alembic ⚗️  test_tube 🧪  petri_dish 🧫  dna 🧬  microscope 🔬  telescope 🔭
  satellite_antenna 📡  syringe 💉  drop_of_blood 🩸  pill 💊  adhesive_bandage 🩹  crutch 🩼  stethoscope 🩺  x-ray 🩻
  door 🚪  elevator 🛗  mirror 🪞  window 🪟  bed 🛏️  couch_and_lamp 🛋️  chair 🪑  toilet 🚽  plunger 🪠  shower 🚿
  bathtub 🛁  mouse_trap 🪤  razor 🪒  lotion_bottle 🧴  safety_pin 🧷  broom 🧹  basket 🧺  roll_of_paper 🧻  bucket 🪣
  soap 🧼  bubbles 🫧  toothbrush 🪥  sponge 🧽  fire_extinguisher 🧯  shopping_trolley 🛒  smoking 🚬  coffin ⚰️
  headstone 🪦  funeral_urn ⚱️  nazar_amulet 🧿  hamsa 🪬  moyai 🗿  placard 🪧  identification_card 🪪
`;
