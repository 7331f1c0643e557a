import type { Attachment } from '@tscodex/shared/items';
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { useImagePlace } from './image-place.ts';
import { Lightbox } from './lightbox.tsx';
import { thumbnailSize } from './thumbnail-size.ts';
import styles from './thumbnails.module.css';

/** Images in small, each in its box from the start; one that is pressed is shown large. */
export function Thumbnails({ images }: { images: readonly Attachment[] }) {
  const [shown, setShown] = useState<number | null>(null);
  return (
    <>
      <ul className={styles.list} aria-label={t('images.list')}>
        {images.map((image, at) => (
          <li key={image.id}>
            <Thumbnail image={image} count={images.length} onOpen={() => setShown(at)} />
          </li>
        ))}
      </ul>
      {shown !== null && <Lightbox images={images} first={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function Thumbnail(props: { image: Attachment; count: number; onOpen: () => void }) {
  const { image } = props;
  const { address } = useImagePlace();
  const [tries, setTries] = useState(0);
  const [broken, setBroken] = useState(false);
  const size = thumbnailSize(image, props.count);
  if (broken) {
    const again = () => {
      setTries(tries + 1);
      setBroken(false);
    };
    return (
      <button type="button" className={styles.broken} style={size} title={image.name} onClick={again}>
        <ImageOff size={18} aria-hidden="true" />
        <span className="visually-hidden">{t('images.broken', { name: image.name })}</span>
      </button>
    );
  }
  return (
    <button type="button" className={styles.thumbnail} style={size} title={image.name} onClick={props.onOpen}>
      <img
        key={tries}
        src={address(image.id)}
        alt={image.name}
        {...size}
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setBroken(true)}
      />
    </button>
  );
}
