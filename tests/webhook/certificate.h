// A self-signed P-256 certificate for 127.0.0.1, made by OpenSSL when a test needs one.
#pragma once
#include <doctest/doctest.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <string>

namespace gpulint::testing {

/// Writes certificate and key as PEM. `serial` tells one certificate from the next.
inline void make_certificate(const std::string& certificate_file, const std::string& key_file, long serial = 1) {
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 24 * 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("gpulint test"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate.get(), certificate.get(), nullptr, nullptr, 0);
  for (auto [id, value] : {std::pair{NID_subject_alt_name, "IP:127.0.0.1"}, {NID_basic_constraints, "critical,CA:TRUE"}}) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, id, value);
    X509_add_ext(certificate.get(), extension, -1);
    X509_EXTENSION_free(extension);
  }
  REQUIRE(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0);
  std::unique_ptr<std::FILE, decltype(&std::fclose)> out(std::fopen(certificate_file.c_str(), "w"), std::fclose);
  REQUIRE(out);
  REQUIRE(PEM_write_X509(out.get(), certificate.get()) == 1);
  out.reset(std::fopen(key_file.c_str(), "w"));
  REQUIRE(out);
  REQUIRE(PEM_write_PrivateKey(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
}

}  // namespace gpulint::testing
