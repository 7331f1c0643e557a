import { RotateCw, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useImagePlace } from '../images/image-place.ts';
import { Lightbox } from '../images/lightbox.tsx';
import { t } from '../messages/messages.ts';
import styles from './picture-strip.module.css';
import type { Picture } from './pictures.ts';
import type { UsedPictures } from './use-pictures.ts';

/** The images that go with the message, each with how far it is and a way to take it out. */
export function PictureStrip({ pictures, onEmpty }: { pictures: UsedPictures; onEmpty: () => void }) {
  const [shown, setShown] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const { pictures: all } = pictures;
  if (all.length === 0) return null;
  const images = all.flatMap(({ image }) => (image ? [image] : []));
  const first = images.findIndex(({ id }) => id === shown);
  /** The focus goes to the neighbour, or back to the words. */
  const remove = (at: number) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])];
    const next = buttons[at + 1] ?? buttons[at - 1];
    pictures.remove((all[at] as Picture).key);
    if (next) next.focus();
    else onEmpty();
  };
  return (
    <>
      <ul ref={list} className={styles.strip} aria-label={t('images.attached')}>
        {all.map((picture, at) => (
          <li key={picture.key} className={styles.picture} data-state={picture.state}>
            <Preview picture={picture} onOpen={() => setShown(picture.image?.id ?? null)} />
            {picture.state === 'failed' && (
              <button
                type="button"
                className={styles.retry}
                aria-label={t('images.retry', { name: picture.name })}
                title={picture.reason ?? undefined}
                onClick={() => pictures.retry(picture.key)}
              >
                <RotateCw size={16} aria-hidden="true" />
              </button>
            )}
            <button
              type="button"
              className={styles.remove}
              data-remove
              aria-label={t('images.remove', { name: picture.name })}
              onClick={() => remove(at)}
            >
              <X size={12} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      {first >= 0 && <Lightbox images={images} first={first} onClose={() => setShown(null)} />}
    </>
  );
}

function Preview({ picture, onOpen }: { picture: Picture; onOpen: () => void }) {
  const { address } = useImagePlace();
  const { name, preview, image, state, progress } = picture;
  const source = preview ?? (image && address(image.id));
  return (
    <>
      <button type="button" className={styles.preview} title={name} disabled={!image} onClick={onOpen}>
        {source ? <img src={source} alt={name} /> : <span className="visually-hidden">{name}</span>}
      </button>
      <span className="visually-hidden">{stateOf(picture)}</span>
      {(state === 'uploading' || state === 'preparing') && (
        <progress className={styles.progress} aria-label={name} value={progress} />
      )}
    </>
  );
}

function stateOf({ state, progress }: Picture): string {
  if (state === 'uploading') return t('images.uploading', { percent: Math.round(progress * 100) });
  return t(`images.${state}`);
}
