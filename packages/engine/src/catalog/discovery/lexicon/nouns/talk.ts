/** Talk. */
export const talk = [
  'email mail',
  'message chat dm text',
  'channel room conversation',
  'conversation thread chat discussion',
  'notification alert',
  'announcement news',
  'sms text_message text',
  'call phone dial',
  'phone telephone mobile cell number',
  'meeting event appointment call',
  'calendar schedule agenda almanac',
  'reminder alert alarm',
  'invitation invite',
  'newsletter campaign mailing',
];
