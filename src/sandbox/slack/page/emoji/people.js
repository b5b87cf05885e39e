/** Faces, hands and people: Slack's names and their characters, pairs separated by two spaces. */
export const PEOPLE_EMOJI = `
  grinning 😀  smiley 😃  smile 😄  grin 😁  laughing 😆  satisfied 😆  sweat_smile 😅  rolling_on_the_floor_laughing 🤣
  joy 😂  slightly_smiling_face 🙂  upside_down_face 🙃  melting_face 🫠  wink 😉  blush 😊  innocent 😇
  smiling_face_with_3_hearts 🥰  heart_eyes 😍  star-struck 🤩  grinning_face_with_star_eyes 🤩  kissing_heart 😘
  kissing 😗  relaxed ☺️  kissing_closed_eyes 😚  kissing_smiling_eyes 😙  smiling_face_with_tear 🥲  yum 😋
  stuck_out_tongue 😛  stuck_out_tongue_winking_eye 😜  zany_face 🤪  grinning_face_with_one_large_and_one_small_eye 🤪
  stuck_out_tongue_closed_eyes 😝  money_mouth_face 🤑  hugging_face 🤗  face_with_hand_over_mouth 🤭
  smiling_face_with_smiling_eyes_and_hand_covering_mouth 🤭  face_with_open_eyes_and_hand_over_mouth 🫢
  face_with_peeking_eye 🫣  shushing_face 🤫  face_with_finger_covering_closed_lips 🤫  thinking_face 🤔
  saluting_face 🫡  zipper_mouth_face 🤐  face_with_raised_eyebrow 🤨  face_with_one_eyebrow_raised 🤨  neutral_face 😐️
  expressionless 😑  no_mouth 😶  dotted_line_face 🫥  face_in_clouds 😶‍🌫️  smirk 😏  unamused 😒
  face_with_rolling_eyes 🙄  grimacing 😬  face_exhaling 😮‍💨  lying_face 🤥  shaking_face 🫨
  head_shaking_horizontally 🙂‍↔️  head_shaking_vertically 🙂‍↕️  relieved 😌  pensive 😔  sleepy 😪  drooling_face 🤤
  sleeping 😴  face_with_bags_under_eyes 🫩  mask 😷  face_with_thermometer 🤒  face_with_head_bandage 🤕
  nauseated_face 🤢  face_vomiting 🤮  face_with_open_mouth_vomiting 🤮  sneezing_face 🤧  hot_face 🥵  cold_face 🥶
  woozy_face 🥴  dizzy_face 😵  face_with_spiral_eyes 😵‍💫  exploding_head 🤯  shocked_face_with_exploding_head 🤯
  face_with_cowboy_hat 🤠  partying_face 🥳  disguised_face 🥸  sunglasses 😎  nerd_face 🤓  face_with_monocle 🧐
  confused 😕  face_with_diagonal_mouth 🫤  worried 😟  slightly_frowning_face 🙁  white_frowning_face ☹️  open_mouth 😮
  hushed 😯  astonished 😲  flushed 😳  pleading_face 🥺  face_holding_back_tears 🥹  frowning 😦  anguished 😧
  fearful 😨  cold_sweat 😰  disappointed_relieved 😥  cry 😢  sob 😭  scream 😱  confounded 😖  persevere 😣
  disappointed 😞  sweat 😓  weary 😩  tired_face 😫  yawning_face 🥱  triumph 😤  rage 😡  angry 😠
  face_with_symbols_on_mouth 🤬  serious_face_with_symbols_covering_mouth 🤬  smiling_imp 😈  imp 👿  skull 💀
  skull_and_crossbones ☠️  hankey 💩  poop 💩  shit 💩  clown_face 🤡  japanese_ogre 👹  japanese_goblin 👺  ghost 👻
  alien 👽️  space_invader 👾  robot_face 🤖  smiley_cat 😺  smile_cat 😸  joy_cat 😹  heart_eyes_cat 😻  smirk_cat 😼
  kissing_cat 😽  scream_cat 🙀  crying_cat_face 😿  pouting_cat 😾  see_no_evil 🙈  hear_no_evil 🙉  speak_no_evil 🙊
  love_letter 💌  cupid 💘  gift_heart 💝  sparkling_heart 💖  heartpulse 💗  heartbeat 💓  revolving_hearts 💞
  two_hearts 💕  heart_decoration 💟  heavy_heart_exclamation_mark_ornament ❣️  broken_heart 💔  heart_on_fire ❤️‍🔥
  mending_heart ❤️‍🩹  heart ❤️  pink_heart 🩷  orange_heart 🧡  yellow_heart 💛  green_heart 💚  blue_heart 💙
  light_blue_heart 🩵  purple_heart 💜  brown_heart 🤎  black_heart 🖤  grey_heart 🩶  white_heart 🤍  kiss 💋  100 💯
  anger 💢  boom 💥  collision 💥  dizzy 💫  sweat_drops 💦  dash 💨  hole 🕳️  speech_balloon 💬
  eye-in-speech-bubble 👁️‍🗨️  left_speech_bubble 🗨️  right_anger_bubble 🗯️  thought_balloon 💭  zzz 💤  wave 👋
  raised_back_of_hand 🤚  raised_hand_with_fingers_splayed 🖐️  hand ✋️  raised_hand ✋️  spock-hand 🖖
  rightwards_hand 🫱  leftwards_hand 🫲  palm_down_hand 🫳  palm_up_hand 🫴  leftwards_pushing_hand 🫷
  rightwards_pushing_hand 🫸  ok_hand 👌  pinched_fingers 🤌  pinching_hand 🤏  v ✌️  crossed_fingers 🤞
  hand_with_index_and_middle_fingers_crossed 🤞  hand_with_index_finger_and_thumb_crossed 🫰  i_love_you_hand_sign 🤟
  the_horns 🤘  sign_of_the_horns 🤘  call_me_hand 🤙  point_left 👈️  point_right 👉️  point_up_2 👆️  middle_finger 🖕
  reversed_hand_with_middle_finger_extended 🖕  point_down 👇️  point_up ☝️  index_pointing_at_the_viewer 🫵  +1 👍️
  thumbsup 👍️  -1 👎️  thumbsdown 👎️  fist ✊️  facepunch 👊  punch 👊  left-facing_fist 🤛  right-facing_fist 🤜
  clap 👏  raised_hands 🙌  heart_hands 🫶  open_hands 👐  palms_up_together 🤲  handshake 🤝  pray 🙏  writing_hand ✍️
  nail_care 💅  selfie 🤳  muscle 💪  mechanical_arm 🦾  mechanical_leg 🦿  leg 🦵  foot 🦶  ear 👂️
  ear_with_hearing_aid 🦻  nose 👃  brain 🧠  anatomical_heart 🫀  lungs 🫁  tooth 🦷  bone 🦴  eyes 👀  eye 👁️
  tongue 👅  lips 👄  biting_lip 🫦  baby 👶  child 🧒  boy 👦  girl 👧  adult 🧑  person_with_blond_hair 👱  man 👨
  bearded_person 🧔  red_haired_man 👨‍🦰  curly_haired_man 👨‍🦱  white_haired_man 👨‍🦳  bald_man 👨‍🦲  woman 👩
  red_haired_woman 👩‍🦰  red_haired_person 🧑‍🦰  curly_haired_woman 👩‍🦱  curly_haired_person 🧑‍🦱
  white_haired_woman 👩‍🦳  white_haired_person 🧑‍🦳  bald_woman 👩‍🦲  bald_person 🧑‍🦲  older_adult 🧓  older_man 👴
  older_woman 👵  person_frowning 🙍  person_with_pouting_face 🙎  no_good 🙅  ok_woman 🙆  information_desk_person 💁
  raising_hand 🙋  deaf_person 🧏  bow 🙇  face_palm 🤦  shrug 🤷  health_worker 🧑‍⚕️  male-doctor 👨‍⚕️
  female-doctor 👩‍⚕️  student 🧑‍🎓  male-student 👨‍🎓  female-student 👩‍🎓  teacher 🧑‍🏫  male-teacher 👨‍🏫
  female-teacher 👩‍🏫  judge 🧑‍⚖️  male-judge 👨‍⚖️  female-judge 👩‍⚖️  farmer 🧑‍🌾  male-farmer 👨‍🌾
  female-farmer 👩‍🌾  cook 🧑‍🍳  male-cook 👨‍🍳  female-cook 👩‍🍳  mechanic 🧑‍🔧  male-mechanic 👨‍🔧
  female-mechanic 👩‍🔧  factory_worker 🧑‍🏭  male-factory-worker 👨‍🏭  female-factory-worker 👩‍🏭
  office_worker 🧑‍💼  male-office-worker 👨‍💼  female-office-worker 👩‍💼  scientist 🧑‍🔬  male-scientist 👨‍🔬
  female-scientist 👩‍🔬  technologist 🧑‍💻  male-technologist 👨‍💻  female-technologist 👩‍💻  singer 🧑‍🎤
  male-singer 👨‍🎤  female-singer 👩‍🎤  artist 🧑‍🎨  male-artist 👨‍🎨  female-artist 👩‍🎨  pilot 🧑‍✈️
  male-pilot 👨‍✈️  female-pilot 👩‍✈️  astronaut 🧑‍🚀  male-astronaut 👨‍🚀  female-astronaut 👩‍🚀  firefighter 🧑‍🚒
  male-firefighter 👨‍🚒  female-firefighter 👩‍🚒  cop 👮  sleuth_or_spy 🕵️  guardsman 💂  ninja 🥷
  construction_worker 👷  person_with_crown 🫅  prince 🤴  princess 👸  man_with_turban 👳  man_with_gua_pi_mao 👲
  person_with_headscarf 🧕  person_in_tuxedo 🤵  bride_with_veil 👰  pregnant_woman 🤰  pregnant_man 🫃
  pregnant_person 🫄  breast-feeding 🤱  woman_feeding_baby 👩‍🍼  man_feeding_baby 👨‍🍼  person_feeding_baby 🧑‍🍼
  angel 👼  santa 🎅  mrs_claus 🤶  mother_christmas 🤶  mx_claus 🧑‍🎄  superhero 🦸  supervillain 🦹  mage 🧙
  fairy 🧚  vampire 🧛  merperson 🧜  elf 🧝  genie 🧞  zombie 🧟  troll 🧌  massage 💆  haircut 💇  walking 🚶
  person_walking_facing_right 🚶‍➡️  standing_person 🧍  kneeling_person 🧎  person_kneeling_facing_right 🧎‍➡️
  person_with_probing_cane 🧑‍🦯  person_with_white_cane_facing_right 🧑‍🦯‍➡️  man_with_probing_cane 👨‍🦯
  man_with_white_cane_facing_right 👨‍🦯‍➡️  woman_with_probing_cane 👩‍🦯  woman_with_white_cane_facing_right 👩‍🦯‍➡️
  person_in_motorized_wheelchair 🧑‍🦼  person_in_motorized_wheelchair_facing_right 🧑‍🦼‍➡️
  man_in_motorized_wheelchair 👨‍🦼  man_in_motorized_wheelchair_facing_right 👨‍🦼‍➡️
  woman_in_motorized_wheelchair 👩‍🦼  woman_in_motorized_wheelchair_facing_right 👩‍🦼‍➡️
  person_in_manual_wheelchair 🧑‍🦽  person_in_manual_wheelchair_facing_right 🧑‍🦽‍➡️  man_in_manual_wheelchair 👨‍🦽
  man_in_manual_wheelchair_facing_right 👨‍🦽‍➡️  woman_in_manual_wheelchair 👩‍🦽
  woman_in_manual_wheelchair_facing_right 👩‍🦽‍➡️  runner 🏃  running 🏃  person_running_facing_right 🏃‍➡️  dancer 💃
  man_dancing 🕺  man_in_business_suit_levitating 🕴️  dancers 👯  person_in_steamy_room 🧖  person_climbing 🧗
  fencer 🤺  horse_racing 🏇  skier ⛷️  snowboarder 🏂️  golfer 🏌️  surfer 🏄️  rowboat 🚣  swimmer 🏊️
  person_with_ball ⛹️  weight_lifter 🏋️  bicyclist 🚴  mountain_bicyclist 🚵  person_doing_cartwheel 🤸  wrestlers 🤼
  water_polo 🤽  handball 🤾  juggling 🤹  person_in_lotus_position 🧘  bath 🛀  sleeping_accommodation 🛌
  people_holding_hands 🧑‍🤝‍🧑  two_women_holding_hands 👭  women_holding_hands 👭  man_and_woman_holding_hands 👫
  woman_and_man_holding_hands 👫  couple 👫  two_men_holding_hands 👬  men_holding_hands 👬  couplekiss 💏
  woman-kiss-man 👩‍❤️‍💋‍👨  man-kiss-man 👨‍❤️‍💋‍👨  woman-kiss-woman 👩‍❤️‍💋‍👩  couple_with_heart 💑
  woman-heart-man 👩‍❤️‍👨  man-heart-man 👨‍❤️‍👨  woman-heart-woman 👩‍❤️‍👩  man-woman-boy 👨‍👩‍👦
  man-woman-girl 👨‍👩‍👧  man-woman-girl-boy 👨‍👩‍👧‍👦  man-woman-boy-boy 👨‍👩‍👦‍👦
  man-woman-girl-girl 👨‍👩‍👧‍👧  man-man-boy 👨‍👨‍👦  man-man-girl 👨‍👨‍👧  man-man-girl-boy 👨‍👨‍👧‍👦
  man-man-boy-boy 👨‍👨‍👦‍👦  man-man-girl-girl 👨‍👨‍👧‍👧  woman-woman-boy 👩‍👩‍👦  woman-woman-girl 👩‍👩‍👧
  woman-woman-girl-boy 👩‍👩‍👧‍👦  woman-woman-boy-boy 👩‍👩‍👦‍👦  woman-woman-girl-girl 👩‍👩‍👧‍👧  man-boy 👨‍👦
  man-boy-boy 👨‍👦‍👦  man-girl 👨‍👧  man-girl-boy 👨‍👧‍👦  man-girl-girl 👨‍👧‍👧  woman-boy 👩‍👦
  woman-boy-boy 👩‍👦‍👦  woman-girl 👩‍👧  woman-girl-boy 👩‍👧‍👦  woman-girl-girl 👩‍👧‍👧
  speaking_head_in_silhouette 🗣️  bust_in_silhouette 👤  busts_in_silhouette 👥  people_hugging 🫂  family 👪️
  family_adult_adult_child 🧑‍🧑‍🧒  family_adult_adult_child_child 🧑‍🧑‍🧒‍🧒  family_adult_child 🧑‍🧒
  family_adult_child_child 🧑‍🧒‍🧒  footprints 👣  fingerprint 🫆
`;
