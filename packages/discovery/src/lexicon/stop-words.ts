const list = (words: string) => new Set(words.split(/\s+/).filter(Boolean));

/** Words without meaning for a search, in requests and in tools. */
export const emptyWords = list(`
  a an the of to in on at by for from with as is are was were be been being am it its this that these those there their they them he she
  his her him and or nor but if then than so such into onto over under upon via per about which who whom whose what when where why how
  will would shall should can could may might must do does did done has have had having not no yes you your yours we our ours us i
  me my mine myself s t d ll re ve m e g etc eg ie also just only very too more most much any some each both either neither own same other another
  don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn
  up out off down through during before after between within without again once here because while until
`);

/** Words of requests that say nothing about the wanted tool. */
export const requestWords = list(`
  please pls plz help want wants wanted need needs needed like would could can let lets try trying kindly thank thanks hello hi hey okay ok
  gimme lemme wanna gonna able looking goal using use used based way thing things something anything everything someone anyone somebody
  really actually currently maybe perhaps possible specific certain particular various several following given provided
  make sure one two three first second third next tool api
  tell know give show see want planning plan think consider considering interested interesting good great best well
  detailed comprehensive brief briefly quick quickly full whole complete particular including include includes included
  title titled named name called
`);

/** Words that say little, because most tools return current information. */
export const weakWords = list(`
  information info details detail data latest recent recently current today now new list all every available related content result results
  overview summary summarize report analysis analyze recommend suggest check item items value values page
`);

/** A clause that begins with one of these asks for information, unless it has another verb. */
export const askingWords = list('show tell see know what which who whose where when how');

/** Words that refer to the clause before. */
export const pronouns = list('it them');

/** Words that begin a new clause. */
export const clauseBreaks = list('then and after afterwards next finally also plus before while but');

/** Words that are followed by the topic of the content. */
export const topicWords = list('about regarding concerning');
