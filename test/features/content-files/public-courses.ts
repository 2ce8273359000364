/** A picture that browsers can draw. */
const png = Uint8Array.from(
  atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  (character) => character.charCodeAt(0),
);

type PublicCourse = {
  files: Record<string, string | Uint8Array<ArrayBuffer>>;
  /** The titles of its sections, each with those of its lessons. */
  outline: (string | null)[][];
  /** How many links lead from lesson to lesson. */
  links: number;
  /** The names of what comes in beside. */
  images: string[];
  leftOut: [path: string, reason: string][];
};

/** Courses as people publish them in Markdown, by their shapes; the words are our own. */
export const publicCourses: Record<string, PublicCourse> = {
  'numbered episodes whose pages link to each other, with drawings and fences': {
    files: {
      'README.md': '# Bread\n\nHow to bake. Start with [the dough](episodes/01-dough.md).',
      'episodes/01-dough.md':
        '---\ntitle: The dough\nteaching: 10\n---\n\n::: objectives\n\n- Knead\n\n:::\n\nNext comes [heat](03-heat.md).\n\n![A bowl](fig/bowl.png)\n\n![A drawing](fig/rise.svg)\n',
      'episodes/02-rest.md':
        '---\ntitle: Rest\n---\n\nAfter [the dough](01-dough.md), wait ~~one~~ two hours.\n',
      'episodes/03-heat.md': '---\ntitle: Heat\n---\n\n```bash\noven --at 230\n```\n',
      'episodes/fig/bowl.png': png,
      'episodes/fig/rise.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    },
    outline: [
      [null, 'Bread'],
      ['Episodes', 'The dough', 'Rest', 'Heat'],
    ],
    links: 3,
    images: ['bowl.png'],
    leftOut: [['episodes/fig/rise.svg', 'svg']],
  },
  'pages of a site generator with paths from the root and lists in HTML': {
    files: {
      'index.md':
        '---\ntitle: Night sky\n---\n\n<ul>\n  <li><a href="/2026/moon/">Moon</a></li>\n</ul>\n',
      '2026/moon.md':
        '---\nlayout: lecture\ntitle: "The moon"\norder: 2\n---\n\nLook up.\n\n![Craters](/static/craters.png)\n\n<ol>\n<li>Full</li>\n<li>New</li>\n</ol>\n',
      '2026/stars.md':
        '---\nlayout: lecture\ntitle: "Stars"\norder: 1\n---\n\n<video src="/static/sky.mp4" controls></video>\n\nSee https://www.youtube.com/playlist?list=x or\n\nhttps://www.youtube.com/watch?v=aaaaaaaaaaa\n',
      'static/craters.png': png,
      'static/sky.mp4': '\0\0\0\x18ftypisom',
    },
    outline: [
      [null, 'Night sky'],
      ['2026', 'Stars', 'The moon'],
    ],
    links: 0,
    images: ['sky.mp4', 'craters.png'],
    leftOut: [['/2026/moon/', 'missing_link']],
  },
  'folders with a page each, lists of links, and a sheet to download': {
    files: {
      'README.md': '# Gardens\n\n- [Soil](soil/README.md)\n- [Seeds](seeds/README.md)\n',
      'soil/README.md': '# Soil\n\n<strong>Dig</strong> first: [how](digging.md).\n',
      'soil/digging.md':
        '# Digging\n\nUse [the sheet](/files/sheet.pdf). Back to [soil](./README.md#top).\n\n![A spade](/images/spade.png)\n',
      'seeds/README.md': '# Seeds\n\n<a href="https://seeds.test/">A shop</a>\n',
      'images/spade.png': png,
      'files/sheet.pdf': '%PDF-1.7',
    },
    outline: [
      ['Soil', 'Soil', 'Digging'],
      ['Seeds', 'Seeds'],
    ],
    links: 2,
    images: ['spade.png', 'sheet.pdf'],
    leftOut: [['README.md', 'list']],
  },
  'tables and pictures in HTML, bare addresses and players': {
    files: {
      '01-clay/README.md':
        '# Clay\n\n<table>\n<tr><th>Step</th><th>Look</th></tr>\n<tr><td>Wedge</td><td><img src="img/wedge.png" width="200" alt="Wedging"></td></tr>\n</table>\n\nAsk at https://forum.test/clay.\n',
      '02-kiln/README.md':
        '# Kiln\n\n<p align="center"><a href="https://youtu.be/aaaaaaaaaaa"><img src="../img/kiln.png"></a></p>\n\n<iframe src="https://maps.test/kiln"></iframe>\n\n<iframe src="//player.vimeo.com/video/76979871"></iframe>\n\n<object></object>\n\n<details><summary>Hot?</summary>Yes, <em>very</em>.</details>\n',
      '01-clay/img/wedge.png': png,
      'img/kiln.png': png,
    },
    outline: [
      ['01 clay', 'Clay'],
      ['02 kiln', 'Kiln'],
    ],
    links: 0,
    images: ['wedge.png'],
    leftOut: [
      ['https://maps.test/kiln', 'player'],
      ['img/kiln.png', 'unused'],
    ],
  },
  'lessons with panels, scripts, placeholders and pictures by the address of their site': {
    files: {
      'rope/knots.md':
        '### Introduction\n\nDear <name>, a <bend> joins two ropes.\n\n<div class="panel" markdown="1">\n\n1. Cross\n1. Pull\n\n</div>\n\n![Bend](https://cdn.test/rope/imgs/bend.png)\n\n<script src="https://x.test/embed.js"></script>\n',
      'rope/splices.md':
        '### Introduction\n\n<p class="codepen">\n  <span>See the splice</span>\n</p>\n',
      'rope/imgs/bend.png': png,
    },
    outline: [['Rope', 'knots', 'splices']],
    links: 0,
    images: ['bend.png'],
    leftOut: [],
  },
};
