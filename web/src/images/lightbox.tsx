import type { Attachment } from '@tscodex/shared/items';
import { ChevronLeft, ChevronRight, ExternalLink, X, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../messages/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { byteSize } from '../ui/quantities.ts';
import { useModal } from '../ui/use-modal.ts';
import { useImagePlace } from './image-place.ts';
import styles from './lightbox.module.css';

type Props = { images: readonly Attachment[]; first: number; onClose: () => void };

/**
 * One image over the whole page, as large as fits or pixel by pixel; the arrow keys go to its neighbours. Escape
 * closes it, and the focus goes back to where it was. Outside the conversation's own element, whose keys and wheel
 * mean other things.
 */
export function Lightbox({ images, first, onClose }: Props) {
  const [at, setAt] = useState(first);
  const [large, setLarge] = useState(false);
  const { dialog, props } = useModal(onClose);
  const image = images[at];
  if (!image) return null;

  const close = () => dialog.current?.close();
  const go = (step: 1 | -1) => {
    const next = at + step;
    if (next < 0 || next >= images.length) return;
    setAt(next);
    setLarge(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // pixel by pixel they move the picture
    if (large) return;
    if (event.key === 'ArrowLeft') go(-1);
    else if (event.key === 'ArrowRight') go(1);
  };
  return createPortal(
    <dialog
      {...props}
      className={styles.dialog}
      aria-label={t('images.viewer', { name: image.name })}
      onKeyDown={onKeyDown}
    >
      <header className={styles.head}>
        <span className={styles.name}>{image.name}</span>
        {images.length > 1 && (
          <span role="status">{t('images.position', { at: at + 1, count: images.length })}</span>
        )}
        <Tools image={image} large={large} onZoom={() => setLarge(!large)} onClose={close} />
      </header>
      <Picture key={image.id} image={image} large={large} onZoom={() => setLarge(!large)} onClose={close} />
      {images.length > 1 && (
        <>
          <IconButton
            label={t('images.previous')}
            className={styles.previous}
            disabled={at === 0}
            onClick={() => go(-1)}
          >
            <ChevronLeft size={20} aria-hidden="true" />
          </IconButton>
          <IconButton
            label={t('images.next')}
            className={styles.next}
            disabled={at === images.length - 1}
            onClick={() => go(1)}
          >
            <ChevronRight size={20} aria-hidden="true" />
          </IconButton>
        </>
      )}
    </dialog>,
    document.body,
  );
}

type ViewProps = { image: Attachment; large: boolean; onZoom: () => void; onClose: () => void };

function Tools({ image, large, onZoom, onClose }: ViewProps) {
  const { address } = useImagePlace();
  const { width, height } = image;
  return (
    <>
      {width !== undefined && height !== undefined && (
        <span className={styles.size}>
          {t('images.size', { width, height, size: byteSize(image.bytes) })}
        </span>
      )}
      <span className={styles.tools}>
        <IconButton label={large ? t('images.fit') : t('images.actualSize')} onClick={onZoom}>
          {large ? <ZoomOut size={17} aria-hidden="true" /> : <ZoomIn size={17} aria-hidden="true" />}
        </IconButton>
        <a
          className={styles.link}
          href={address(image.id)}
          target="_blank"
          rel="noreferrer"
          aria-label={t('images.open')}
          title={t('images.open')}
        >
          <ExternalLink size={16} aria-hidden="true" />
        </a>
        <IconButton label={t('ui.close')} onClick={onClose}>
          <X size={18} aria-hidden="true" />
        </IconButton>
      </span>
    </>
  );
}

/** The picture may be pressed to zoom, and what is beside it to close; keys have their buttons for both. */
function Picture({ image, large, onZoom, onClose }: ViewProps) {
  const { address } = useImagePlace();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the buttons above are the keys for it
    // biome-ignore lint/a11y/noStaticElementInteractions: a press beside the picture is a shortcut
    <div
      className={styles.view}
      data-large={large || undefined}
      tabIndex={large ? 0 : undefined}
      onClick={(event) => (event.target instanceof HTMLImageElement ? onZoom() : onClose())}
    >
      <img src={address(image.id)} alt={image.name} width={image.width} height={image.height} />
    </div>
  );
}
