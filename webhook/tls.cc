#include "webhook/tls.h"

#include <fmt/core.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace gpulint {
namespace {

struct FreeBio { void operator()(BIO* bio) const { BIO_free(bio); } };
using Bio = std::unique_ptr<BIO, FreeBio>;

Bio bio_of(const std::string& bytes) { return Bio(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size()))); }

/// An encrypted key must not make a server ask for a password on its terminal.
int no_password(char*, int, int, void*) { return 0; }

}  // namespace

struct Tls::Pair {
  X509* leaf = nullptr;
  EVP_PKEY* key = nullptr;
  STACK_OF(X509)* chain = sk_X509_new_null();

  Pair() = default;
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair() {
    X509_free(leaf);
    EVP_PKEY_free(key);
    sk_X509_pop_free(chain, X509_free);
  }

  static std::shared_ptr<const Pair> parse(const std::string& certificates, const std::string& key, std::string& error) {
    auto pair = std::make_shared<Pair>();
    Bio bio = bio_of(certificates);
    pair->leaf = PEM_read_bio_X509_AUX(bio.get(), nullptr, no_password, nullptr);
    if (!pair->leaf) return error = "no certificate in PEM form: " + openssl_error(), nullptr;
    while (X509* issuer = PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr)) sk_X509_push(pair->chain, issuer);
    ERR_clear_error();  // the end of the file is an error to OpenSSL
    pair->key = PEM_read_bio_PrivateKey(bio_of(key).get(), nullptr, no_password, nullptr);
    if (!pair->key) return error = "no usable private key in PEM form: " + openssl_error(), nullptr;
    if (X509_check_private_key(pair->leaf, pair->key) != 1)
      return error = "the private key does not belong to the certificate: " + openssl_error(), nullptr;
    return pair;
  }
};

std::string openssl_error() {
  unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "unknown error";
  const char* reason = ERR_reason_error_string(code);
  return reason ? reason : fmt::format("error {:x}", code);
}

bool read_file(const std::string& path, std::string& bytes, std::string& error) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || file.bad() || text.fail()) {  // an empty file fails the insertion: that is no content either
    error = fmt::format("cannot read {}: {}", path, errno ? std::strerror(errno) : "it is empty");
    return false;
  }
  bytes = text.str();
  return true;
}

Tls::Tls(std::string certificate_file, std::string key_file)
    : certificate_file_(std::move(certificate_file)), key_file_(std::move(key_file)), context_(SSL_CTX_new(TLS_server_method())) {}

Tls::~Tls() = default;

std::unique_ptr<Tls> Tls::open(std::string certificate_file, std::string key_file, std::string& error) {
  std::unique_ptr<Tls> tls(new Tls(std::move(certificate_file), std::move(key_file)));
  SSL_CTX* context = tls->context();
  if (!context) return error = openssl_error(), nullptr;
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  // A truncated connection is told from a closed one by the length of the request; the API server resumes no sessions.
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_cert_cb(context, &Tls::choose_certificate, tls.get());
  if (tls->reload_if_changed(error) != Reload::reloaded) return nullptr;
  return tls;
}

Tls::Reload Tls::reload_if_changed(std::string& error) {
  std::string certificates, key;
  bool readable = read_file(certificate_file_, certificates, error) && read_file(key_file_, key, error);
  std::string now = readable ? fmt::format("{}\n{}", certificates, key) : error;
  if (now == seen_) return Reload::unchanged;
  seen_ = std::move(now);
  if (!readable) return Reload::failed;
  std::shared_ptr<const Pair> pair = Pair::parse(certificates, key, error);
  if (!pair) {
    error = fmt::format("{} and {}: {}", certificate_file_, key_file_, error);
    return Reload::failed;
  }
  std::lock_guard lock(mutex_);
  pair_ = std::move(pair);
  return Reload::reloaded;
}

int Tls::choose_certificate(SSL* connection, void* self) {
  Tls& tls = *static_cast<Tls*>(self);
  std::shared_ptr<const Pair> pair;
  {
    std::lock_guard lock(tls.mutex_);
    pair = tls.pair_;
  }
  return SSL_use_cert_and_key(connection, pair->leaf, pair->key, pair->chain, 1);
}

}  // namespace gpulint
