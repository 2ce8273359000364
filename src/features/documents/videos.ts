/** A video elsewhere: who shows it, and the address of its player. */
type Video = { provider: 'YouTube' | 'Vimeo' | 'Loom'; address: string; player: string };

const youtubeId = /^[\w-]{11}$/;
const hex = /^[0-9a-f]{32}$/;

/**
 * The video that a link leads to; null if it is none of YouTube, Vimeo or Loom. Its `address` is
 * what a document keeps, made from the id alone, so that nothing of what was pasted gets through.
 */
export function videoOf(link: string): Video | null {
  const url = URL.parse(link);
  if (url === null || url.protocol !== 'https:') {
    return null;
  }
  const host = url.hostname.replace(/^(www|m)\./, '');
  const [first = '', second = '', third = ''] = url.pathname.split('/').filter(Boolean);
  if (host === 'youtu.be') {
    return youtube(first);
  }
  if (host === 'youtube.com' || host === 'youtube-nocookie.com') {
    return youtube(
      ['embed', 'shorts', 'live'].includes(first) ? second : (url.searchParams.get('v') ?? ''),
    );
  }
  if (host === 'vimeo.com') {
    return vimeo(first, second || (url.searchParams.get('h') ?? ''));
  }
  if (host === 'player.vimeo.com' && first === 'video') {
    return vimeo(second, third || (url.searchParams.get('h') ?? ''));
  }
  return host === 'loom.com' && ['share', 'embed'].includes(first) && hex.test(second)
    ? {
        provider: 'Loom',
        address: `https://www.loom.com/share/${second}`,
        player: `https://www.loom.com/embed/${second}`,
      }
    : null;
}

function youtube(id: string): Video | null {
  return youtubeId.test(id)
    ? {
        provider: 'YouTube',
        address: `https://www.youtube.com/watch?v=${id}`,
        player: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`,
      }
    : null;
}

/** @param hash of a video that is not listed */
function vimeo(id: string, hash: string): Video | null {
  if (!/^\d{5,12}$/.test(id) || !/^[0-9a-f]{0,20}$/.test(hash)) {
    return null;
  }
  return {
    provider: 'Vimeo',
    address: `https://vimeo.com/${id}${hash && `/${hash}`}`,
    player: `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1${hash && `&h=${hash}`}`,
  };
}
