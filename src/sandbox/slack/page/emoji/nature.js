/** Nature, food and travel: Slack's names and their characters, pairs separated by two spaces. */
export const NATURE_EMOJI = `
  monkey_face 🐵  monkey 🐒  gorilla 🦍  orangutan 🦧  dog 🐶  dog2 🐕️  guide_dog 🦮  service_dog 🐕‍🦺  poodle 🐩
  wolf 🐺  fox_face 🦊  raccoon 🦝  cat 🐱  cat2 🐈️  black_cat 🐈‍⬛  lion_face 🦁  tiger 🐯  tiger2 🐅  leopard 🐆
  horse 🐴  moose 🫎  donkey 🫏  racehorse 🐎  unicorn_face 🦄  zebra_face 🦓  deer 🦌  bison 🦬  cow 🐮  ox 🐂
  water_buffalo 🐃  cow2 🐄  pig 🐷  pig2 🐖  boar 🐗  pig_nose 🐽  ram 🐏  sheep 🐑  goat 🐐  dromedary_camel 🐪
  camel 🐫  llama 🦙  giraffe_face 🦒  elephant 🐘  mammoth 🦣  rhinoceros 🦏  hippopotamus 🦛  mouse 🐭  mouse2 🐁
  rat 🐀  hamster 🐹  rabbit 🐰  rabbit2 🐇  chipmunk 🐿️  beaver 🦫  hedgehog 🦔  bat 🦇  bear 🐻  polar_bear 🐻‍❄️
  koala 🐨  panda_face 🐼  sloth 🦥  otter 🦦  skunk 🦨  kangaroo 🦘  badger 🦡  feet 🐾  paw_prints 🐾  turkey 🦃
  chicken 🐔  rooster 🐓  hatching_chick 🐣  baby_chick 🐤  hatched_chick 🐥  bird 🐦️  penguin 🐧  dove_of_peace 🕊️
  eagle 🦅  duck 🦆  swan 🦢  owl 🦉  dodo 🦤  feather 🪶  flamingo 🦩  peacock 🦚  parrot 🦜  wing 🪽  black_bird 🐦‍⬛
  goose 🪿  phoenix 🐦‍🔥  frog 🐸  crocodile 🐊  turtle 🐢  lizard 🦎  snake 🐍  dragon_face 🐲  dragon 🐉  sauropod 🦕
  t-rex 🦖  whale 🐳  whale2 🐋  dolphin 🐬  flipper 🐬  seal 🦭  fish 🐟️  tropical_fish 🐠  blowfish 🐡  shark 🦈
  octopus 🐙  shell 🐚  coral 🪸  jellyfish 🪼  crab 🦀  lobster 🦞  shrimp 🦐  squid 🦑  oyster 🦪  snail 🐌
  butterfly 🦋  bug 🐛  ant 🐜  bee 🐝  honeybee 🐝  beetle 🪲  ladybug 🐞  lady_beetle 🐞  cricket 🦗  cockroach 🪳
  spider 🕷️  spider_web 🕸️  scorpion 🦂  mosquito 🦟  fly 🪰  worm 🪱  microbe 🦠  bouquet 💐  cherry_blossom 🌸
  white_flower 💮  lotus 🪷  rosette 🏵️  rose 🌹  wilted_flower 🥀  hibiscus 🌺  sunflower 🌻  blossom 🌼  tulip 🌷
  hyacinth 🪻  seedling 🌱  potted_plant 🪴  evergreen_tree 🌲  deciduous_tree 🌳  palm_tree 🌴  cactus 🌵
  ear_of_rice 🌾  herb 🌿  shamrock ☘️  four_leaf_clover 🍀  maple_leaf 🍁  fallen_leaf 🍂  leaves 🍃  empty_nest 🪹
  nest_with_eggs 🪺  mushroom 🍄  leafless_tree 🪾  grapes 🍇  melon 🍈  watermelon 🍉  tangerine 🍊  lemon 🍋
  lime 🍋‍🟩  banana 🍌  pineapple 🍍  mango 🥭  apple 🍎  green_apple 🍏  pear 🍐  peach 🍑  cherries 🍒  strawberry 🍓
  blueberries 🫐  kiwifruit 🥝  tomato 🍅  olive 🫒  coconut 🥥  avocado 🥑  eggplant 🍆  potato 🥔  carrot 🥕  corn 🌽
  hot_pepper 🌶️  bell_pepper 🫑  cucumber 🥒  leafy_green 🥬  broccoli 🥦  garlic 🧄  onion 🧅  peanuts 🥜  beans 🫘
  chestnut 🌰  ginger_root 🫚  pea_pod 🫛  brown_mushroom 🍄‍🟫  root_vegetable 🫜  bread 🍞  croissant 🥐
  baguette_bread 🥖  flatbread 🫓  pretzel 🥨  bagel 🥯  pancakes 🥞  waffle 🧇  cheese_wedge 🧀  meat_on_bone 🍖
  poultry_leg 🍗  cut_of_meat 🥩  bacon 🥓  hamburger 🍔  fries 🍟  pizza 🍕  hotdog 🌭  sandwich 🥪  taco 🌮
  burrito 🌯  tamale 🫔  stuffed_flatbread 🥙  falafel 🧆  egg 🥚  fried_egg 🍳  cooking 🍳  shallow_pan_of_food 🥘
  stew 🍲  fondue 🫕  bowl_with_spoon 🥣  green_salad 🥗  popcorn 🍿  butter 🧈  salt 🧂  canned_food 🥫  bento 🍱
  rice_cracker 🍘  rice_ball 🍙  rice 🍚  curry 🍛  ramen 🍜  spaghetti 🍝  sweet_potato 🍠  oden 🍢  sushi 🍣
  fried_shrimp 🍤  fish_cake 🍥  moon_cake 🥮  dango 🍡  dumpling 🥟  fortune_cookie 🥠  takeout_box 🥡  icecream 🍦
  shaved_ice 🍧  ice_cream 🍨  doughnut 🍩  cookie 🍪  birthday 🎂  cake 🍰  cupcake 🧁  pie 🥧  chocolate_bar 🍫
  candy 🍬  lollipop 🍭  custard 🍮  honey_pot 🍯  baby_bottle 🍼  glass_of_milk 🥛  coffee ☕️  teapot 🫖  tea 🍵
  sake 🍶  champagne 🍾  wine_glass 🍷  cocktail 🍸️  tropical_drink 🍹  beer 🍺  beers 🍻  clinking_glasses 🥂
  tumbler_glass 🥃  pouring_liquid 🫗  cup_with_straw 🥤  bubble_tea 🧋  beverage_box 🧃  mate_drink 🧉  ice_cube 🧊
  chopsticks 🥢  knife_fork_plate 🍽️  fork_and_knife 🍴  spoon 🥄  hocho 🔪  knife 🔪  jar 🫙  amphora 🏺
  earth_africa 🌍️  earth_americas 🌎️  earth_asia 🌏️  globe_with_meridians 🌐  world_map 🗺️  japan 🗾  compass 🧭
  snow_capped_mountain 🏔️  mountain ⛰️  volcano 🌋  mount_fuji 🗻  camping 🏕️  beach_with_umbrella 🏖️  desert 🏜️
  desert_island 🏝️  national_park 🏞️  stadium 🏟️  classical_building 🏛️  building_construction 🏗️  bricks 🧱
  rock 🪨  wood 🪵  hut 🛖  house_buildings 🏘️  derelict_house_building 🏚️  house 🏠️  house_with_garden 🏡  office 🏢
  post_office 🏣  european_post_office 🏤  hospital 🏥  bank 🏦  hotel 🏨  love_hotel 🏩  convenience_store 🏪
  school 🏫  department_store 🏬  factory 🏭️  japanese_castle 🏯  european_castle 🏰  wedding 💒  tokyo_tower 🗼
  statue_of_liberty 🗽  church ⛪️  mosque 🕌  hindu_temple 🛕  synagogue 🕍  shinto_shrine ⛩️  kaaba 🕋  fountain ⛲️
  tent ⛺️  foggy 🌁  night_with_stars 🌃  cityscape 🏙️  sunrise_over_mountains 🌄  sunrise 🌅  city_sunset 🌆
  city_sunrise 🌇  bridge_at_night 🌉  hotsprings ♨️  carousel_horse 🎠  playground_slide 🛝  ferris_wheel 🎡
  roller_coaster 🎢  barber 💈  circus_tent 🎪  steam_locomotive 🚂  railway_car 🚃  bullettrain_side 🚄
  bullettrain_front 🚅  train2 🚆  metro 🚇️  light_rail 🚈  station 🚉  tram 🚊  monorail 🚝  mountain_railway 🚞
  train 🚋  bus 🚌  oncoming_bus 🚍️  trolleybus 🚎  minibus 🚐  ambulance 🚑️  fire_engine 🚒  police_car 🚓
  oncoming_police_car 🚔️  taxi 🚕  oncoming_taxi 🚖  car 🚗  red_car 🚗  oncoming_automobile 🚘️  blue_car 🚙
  pickup_truck 🛻  truck 🚚  articulated_lorry 🚛  tractor 🚜  racing_car 🏎️  racing_motorcycle 🏍️  motor_scooter 🛵
  manual_wheelchair 🦽  motorized_wheelchair 🦼  auto_rickshaw 🛺  bike 🚲️  scooter 🛴  skateboard 🛹  roller_skate 🛼
  busstop 🚏  motorway 🛣️  railway_track 🛤️  oil_drum 🛢️  fuelpump ⛽️  wheel 🛞  rotating_light 🚨  traffic_light 🚥
  vertical_traffic_light 🚦  octagonal_sign 🛑  construction 🚧  anchor ⚓️  ring_buoy 🛟  boat ⛵️  sailboat ⛵️  canoe 🛶
  speedboat 🚤  passenger_ship 🛳️  ferry ⛴️  motor_boat 🛥️  ship 🚢  airplane ✈️  small_airplane 🛩️
  airplane_departure 🛫  airplane_arriving 🛬  parachute 🪂  seat 💺  helicopter 🚁  suspension_railway 🚟
  mountain_cableway 🚠  aerial_tramway 🚡  satellite 🛰️  rocket 🚀  flying_saucer 🛸  bellhop_bell 🛎️  luggage 🧳
  hourglass ⌛️  hourglass_flowing_sand ⏳️  watch ⌚️  alarm_clock ⏰️  stopwatch ⏱️  timer_clock ⏲️  mantelpiece_clock 🕰️
  clock12 🕛️  clock1230 🕧️  clock1 🕐️  clock130 🕜️  clock2 🕑️  clock230 🕝️  clock3 🕒️  clock330 🕞️  clock4 🕓️
  clock430 🕟️  clock5 🕔️  clock530 🕠️  clock6 🕕️  clock630 🕡️  clock7 🕖️  clock730 🕢️  clock8 🕗️  clock830 🕣️
  clock9 🕘️  clock930 🕤️  clock10 🕙️  clock1030 🕥️  clock11 🕚️  clock1130 🕦️  new_moon 🌑  waxing_crescent_moon 🌒
  first_quarter_moon 🌓  moon 🌔  waxing_gibbous_moon 🌔  full_moon 🌕️  waning_gibbous_moon 🌖  last_quarter_moon 🌗
  waning_crescent_moon 🌘  crescent_moon 🌙  new_moon_with_face 🌚  first_quarter_moon_with_face 🌛
  last_quarter_moon_with_face 🌜️  thermometer 🌡️  sunny ☀️  full_moon_with_face 🌝  sun_with_face 🌞  ringed_planet 🪐
  star ⭐️  star2 🌟  stars 🌠  milky_way 🌌  cloud ☁️  partly_sunny ⛅️  thunder_cloud_and_rain ⛈️  mostly_sunny 🌤️
  sun_small_cloud 🌤️  barely_sunny 🌥️  sun_behind_cloud 🌥️  partly_sunny_rain 🌦️  sun_behind_rain_cloud 🌦️
  rain_cloud 🌧️  snow_cloud 🌨️  lightning 🌩️  lightning_cloud 🌩️  tornado 🌪️  tornado_cloud 🌪️  fog 🌫️
  wind_blowing_face 🌬️  cyclone 🌀  rainbow 🌈  closed_umbrella 🌂  umbrella ☂️  umbrella_with_rain_drops ☔️
  umbrella_on_ground ⛱️  zap ⚡️  snowflake ❄️  snowman ☃️  snowman_without_snow ⛄️  comet ☄️  fire 🔥  droplet 💧
  ocean 🌊
`;
